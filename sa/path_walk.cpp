#include "sa/path_walk.h"

#include <array>
#include <utility>

#include "sa/rates.h"

namespace rch::sa {
namespace {

using fabric::Fabric;

/// A unicast packet that takes more hops is in a loop (sm-sa 8.2).
constexpr int kMostHops = 64;

void take_part(PathTraits& path, const LinkTraits& link) {
  if (link.mtu != 0 && (path.mtu == 0 || link.mtu < path.mtu)) path.mtu = link.mtu;
  if (link.rate != 0 && link.rate != path.rate)
    path.rate = path.rate == 0 ? link.rate : slower(link.rate, path.rate);
}

/// Service levels that a map does not drop. Where no map is planned, ports have the identity, which drops
/// none.
std::uint16_t carried(const fabric::Sl2VlMap& map) {
  constexpr std::uint8_t kManagementVl = 15;
  std::uint16_t sls = 0;
  for (std::size_t sl = 0; sl < map.size(); ++sl)
    sls = static_cast<std::uint16_t>(sls | (map[sl] != kManagementVl ? 1U << sl : 0U));
  return sls;
}

/// Calls `pass` with the ports by which a packet enters and leaves each switch, until it returns false. False
/// if the tables do not lead to the owner of `to`.
template <class Pass>
bool follow(const Snapshot& snapshot, PortId from, Lid to, PortId owner, Pass pass) {
  const Fabric& fabric = snapshot.fabric();
  const fabric::RoutingTables& tables = *snapshot.plan.tables;
  if (owner == from) return true;
  PortId at = from;  // by which the packet enters a switch
  if (!fabric.is_switch(fabric.port(from).node)) {
    at = fabric.port(from).peer;
    if (at.is_none() || at == owner) return !at.is_none();
  }
  for (int hops = 0; hops < kMostHops; ++hops) {
    const auto sw = fabric.switch_id(fabric.port(at).node);
    if (!sw) return false;
    const PortNum out(tables.lfts.at(*sw, to));
    if (out.value > fabric.node(*sw).num_ports) return false;
    const PortId left = fabric.port_id(*sw, out);
    if (!pass(*sw, at, left) || left == owner) return true;
    at = fabric.port(left).peer;
    if (at.is_none() || at == owner) return !at.is_none();
  }
  return false;
}

std::optional<PortId> owner_of(const Snapshot& snapshot, Lid to) {
  const auto owner = snapshot.fabric().lid_owner(to);
  return owner && to <= snapshot.plan.tables->lfts.max_lid() ? owner : std::nullopt;
}

/// What a switch on the way adds where packets enter it.
void enter(PathTraits& path, const Snapshot& snapshot, SwitchId sw, PathHop hop) {
  const fabric::Sl2VlTables& maps = snapshot.plan.tables->sl2vl;
  const Fabric& fabric = snapshot.fabric();
  if (!maps.empty())
    path.usable &= carried(maps.at(sw, fabric.port(hop.in).number, fabric.port(hop.out).number));
  take_part(path, snapshot.links[hop.in.index()]);
}

/// What the port adds from which a path begins.
void begin(PathTraits& path, const Snapshot& snapshot, PortId from) {
  const fabric::Sl2VlTables& maps = snapshot.plan.tables->sl2vl;
  if (!maps.empty() && !snapshot.fabric().is_switch(snapshot.fabric().port(from).node))
    path.usable &= carried(maps.end_port(from));
  take_part(path, snapshot.links[from.index()]);
}

}  // namespace

std::optional<PathTraits> walk(const Snapshot& snapshot, PortId from, Lid to) {
  const auto owner = owner_of(snapshot, to);
  if (!owner) return std::nullopt;
  PathTraits path;
  begin(path, snapshot, from);
  const bool reached = follow(snapshot, from, to, *owner, [&](SwitchId sw, PortId in, PortId out) {
    enter(path, snapshot, sw, {in, out});
    take_part(path, snapshot.links[out.index()]);
    return true;
  });
  if (!reached) return std::nullopt;
  take_part(path, snapshot.links[owner->index()]);
  return path;
}

WaysTo::WaysTo(const Snapshot& snapshot, Lid to)
    : snapshot_(snapshot),
      to_(to),
      owner_(owner_of(snapshot, to)),
      rests_(snapshot.fabric().switch_count()) {}

std::optional<PathTraits> WaysTo::from(PortId port) {
  if (!owner_) return std::nullopt;
  std::array<std::pair<SwitchId, PathHop>, kMostHops> passed;
  std::size_t count = 0;
  const auto is_known = [this](SwitchId sw) { return rests_[sw.index()].hops != 0; };
  const auto pass = [&](SwitchId sw, PortId in, PortId out) {
    passed[count++] = {sw, {in, out}};
    return !is_known(sw);
  };
  if (!follow(snapshot_, port, to_, *owner_, pass)) return std::nullopt;
  Rest rest;
  take_part(rest.path, snapshot_.links[owner_->index()]);
  while (count > 0) {
    const auto& [sw, hop] = passed[--count];
    Rest& from_here = rests_[sw.index()];
    if (!is_known(sw)) {
      take_part(rest.path, snapshot_.links[hop.out.index()]);
      ++rest.hops;
      from_here = rest;
    }
    rest = from_here;
    enter(rest.path, snapshot_, sw, hop);
  }
  if (rest.hops > kMostHops) return std::nullopt;
  begin(rest.path, snapshot_, port);
  return rest.path;
}

std::optional<std::vector<PathHop>> trace(const Snapshot& snapshot, PortId from, Lid to) {
  const auto owner = owner_of(snapshot, to);
  std::vector<PathHop> hops;
  const auto pass = [&](SwitchId, PortId in, PortId out) {
    hops.push_back({in, out});
    return true;
  };
  if (!owner || !follow(snapshot, from, to, *owner, pass)) return std::nullopt;
  return hops;
}

}  // namespace rch::sa
