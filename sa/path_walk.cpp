#include "sa/path_walk.h"

#include "sa/rates.h"

namespace rch::sa {
namespace {

using fabric::Fabric;

/// A unicast packet that takes more hops is in a loop (sm-sa 8.2).
constexpr int kMostHops = 64;

void take_part(PathTraits& path, const LinkTraits& link) {
  if (link.mtu != 0 && (path.mtu == 0 || link.mtu < path.mtu)) path.mtu = link.mtu;
  if (link.rate != 0) path.rate = path.rate == 0 ? link.rate : slower(link.rate, path.rate);
}

std::uint16_t usable_through(const fabric::RoutingTables& tables, SwitchId sw, PortNum in, PortNum out) {
  constexpr std::uint8_t kManagementVl = 15;
  if (tables.sl2vl.empty()) return 0x7FFF;  // the identity map: SL 15 would be VL 15
  unsigned usable = 0;
  for (std::uint8_t sl = 0; sl < 16; ++sl)
    if (tables.vl(sw, in, out, sl) != kManagementVl) usable |= 1U << sl;
  return static_cast<std::uint16_t>(usable);
}

}  // namespace

std::optional<PathTraits> walk(const Snapshot& snapshot, PortId from, Lid to) {
  const Fabric& fabric = snapshot.fabric();
  const fabric::RoutingTables& tables = *snapshot.plan.tables;
  const auto owner = fabric.lid_owner(to);
  if (!owner || to > tables.lfts.max_lid()) return std::nullopt;
  PathTraits path;
  take_part(path, snapshot.links[from.index()]);
  if (*owner == from) return path;

  PortId at = from;  // by which the packet enters a switch
  if (!fabric.is_switch(fabric.port(from).node)) {
    at = fabric.port(from).peer;
    if (at.is_none()) return std::nullopt;
    take_part(path, snapshot.links[at.index()]);
    if (at == *owner) return path;
  }
  for (int hops = 0; hops < kMostHops; ++hops) {
    const auto sw = fabric.switch_id(fabric.port(at).node);
    if (!sw) return std::nullopt;
    const PortNum out(tables.lfts.at(*sw, to));
    if (out.value > fabric.node(*sw).num_ports) return std::nullopt;
    path.usable &= usable_through(tables, *sw, fabric.port(at).number, out);
    const PortId left = fabric.port_id(*sw, out);
    take_part(path, snapshot.links[left.index()]);
    if (left == *owner) return path;
    at = fabric.port(left).peer;
    if (at.is_none()) return std::nullopt;
    take_part(path, snapshot.links[at.index()]);
    if (at == *owner) return path;
  }
  return std::nullopt;
}

}  // namespace rch::sa
