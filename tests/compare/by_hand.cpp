#include "by_hand.h"

#include <optional>
#include <random>
#include <tuple>
#include <vector>

#include "../verify/hand_tables.h"
#include "fabric/fabric_builder.h"
#include "fabric/faults.h"

namespace rch::test {
namespace {

using compare::Side;
using fabric::Fabric;

/// A place of a path that does not depend on indices: node and port.
using Place = std::pair<Guid, std::uint8_t>;
using Path = std::vector<Place>;

Place place(const Fabric& fabric, PortId id) {
  return {fabric.node(fabric.port(id).node).guid, fabric.port(id).number.value};
}

/// Both ends of every cable on the way; empty if the packet does not arrive.
Path path(const Side& side, const fabric::EndPort& from, const fabric::EndPort& to, Lid lid) {
  const Fabric& fabric = *side.fabric;
  Path path{place(fabric, from.port), place(fabric, fabric.port(from.port).peer)};
  SwitchId sw = from.sw;
  for (std::size_t hops = 0; hops <= fabric.switch_count(); ++hops) {
    const std::uint8_t out = lid > side.tables->lfts.max_lid() ? kNoPath : side.tables->lfts.at(sw, lid);
    if (out == 0 || out > fabric.node(sw).num_ports) return {};
    const PortId port = fabric.port_id(sw, PortNum(out)), peer = fabric.port(port).peer;
    if (peer.is_none()) return {};
    path.push_back(place(fabric, port));
    path.push_back(place(fabric, peer));
    if (peer == to.port) return path;
    if (!fabric.is_switch(fabric.port(peer).node)) return {};
    sw = SwitchId(fabric.port(peer).node.value);
  }
  return {};
}

const fabric::EndPort* same_host(const Fabric& fabric, const Place& at) {
  for (const fabric::EndPort& host : fabric.end_ports())
    if (host.lid != kUnassignedLid && place(fabric, host.port) == at) return &host;
  return nullptr;
}

}  // namespace

Side side(std::string name, Fabric fabric, fabric::RoutingTables tables) {
  return {.name = std::move(name),
          .fabric = std::make_shared<const Fabric>(std::move(fabric)),
          .tables = std::make_shared<const fabric::RoutingTables>(std::move(tables))};
}

PairsByHand pairs_by_hand(const Side& before, const Side& after) {
  PairsByHand sums;
  std::vector<std::pair<fabric::EndPort, fabric::EndPort>> hosts;
  for (const fabric::EndPort& host : before.fabric->end_ports())
    if (const auto* now = same_host(*after.fabric, place(*before.fabric, host.port));
        now != nullptr && host.lid != kUnassignedLid)
      hosts.emplace_back(host, *now);
  for (const auto& [from, from_now] : hosts)
    for (const auto& [to, to_now] : hosts)
      for (unsigned k = 0; from.port != to.port && k < 1U << std::min(to.lmc, to_now.lmc); ++k) {
        const Lid lid(static_cast<std::uint16_t>(to.lid.value + k));
        const Lid lid_now(static_cast<std::uint16_t>(to_now.lid.value + k));
        const Path was = path(before, from, to, lid), is = path(after, from_now, to_now, lid_now);
        sums.pairs += !was.empty() || !is.empty();
        sums.lost += !was.empty() && is.empty();
        sums.gained += was.empty() && !is.empty();
        const bool changed = !was.empty() && !is.empty() && was != is;
        sums.changed += changed;
        if (changed) ++sums.changed_to[lid_now];
      }
  return sums;
}

fabric::RoutingTables random_tables(const Fabric& fabric, std::uint64_t seed, unsigned bent) {
  std::mt19937_64 random(seed);
  fabric::RoutingTables tables = empty_tables(fabric);
  route_shortest(tables, fabric);
  for (unsigned i = 0; i < bent && fabric.max_lid().value > 0; ++i) {
    const auto sw = static_cast<std::uint32_t>(random() % fabric.switch_count());
    const Lid lid(static_cast<std::uint16_t>(1 + random() % fabric.max_lid().value));
    const std::uint8_t ports = fabric.node(SwitchId(sw)).num_ports;
    const auto port = static_cast<std::uint8_t>(random() % (ports + 2U));
    set_entry(tables, sw, lid, random() % 4 == 0 ? kNoPath : port);
  }
  return tables;
}

Fabric later(const Fabric& fabric, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  fabric::Faults faults{.random_links = static_cast<std::uint32_t>(random() % 3), .seed = seed};
  faults.keep_connected = random() % 2 == 0;
  if (random() % 4 == 0) faults.random_switches = 1;
  auto damaged = fabric::remove_parts(fabric, faults);
  Fabric out = damaged ? std::move(damaged->fabric) : Fabric(fabric);
  if (random() % 2 == 0) return out;
  std::vector<fabric::LidAssignment> lids;
  const auto shift = static_cast<std::uint16_t>(8 * (random() % 3));
  for (std::uint32_t p = 0; p < out.ports().size(); ++p) {
    const fabric::Port& port = out.port(PortId(p));
    if (port.lid != kUnassignedLid)
      lids.push_back({PortId(p), Lid(static_cast<std::uint16_t>(port.lid.value + shift)), port.lmc});
  }
  for (std::size_t i = 0; lids.size() > 1 && i < 3; ++i) {
    auto &a = lids[random() % lids.size()], &b = lids[random() % lids.size()];
    if (a.lmc == b.lmc) std::swap(a.lid, b.lid);
  }
  auto moved = fabric::with_lids(Fabric(out), lids);
  return moved ? std::move(*moved) : out;
}

}  // namespace rch::test
