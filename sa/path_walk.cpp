#include "sa/path_walk.h"

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

/// Service levels that a map does not drop. Where no map is planned, ports have the identity, which drops none.
std::uint16_t carried(const fabric::Sl2VlMap& map) {
  constexpr std::uint8_t kManagementVl = 15;
  std::uint16_t sls = 0;
  for (std::size_t sl = 0; sl < map.size(); ++sl)
    sls = static_cast<std::uint16_t>(sls | (map[sl] != kManagementVl ? 1U << sl : 0U));
  return sls;
}

/// Calls `pass` with the ports by which a packet enters and leaves each switch. False if the tables do not
/// lead to the owner of `to`.
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
    pass(*sw, at, left);
    if (left == owner) return true;
    at = fabric.port(left).peer;
    if (at.is_none() || at == owner) return !at.is_none();
  }
  return false;
}

std::optional<PortId> owner_of(const Snapshot& snapshot, Lid to) {
  const auto owner = snapshot.fabric().lid_owner(to);
  return owner && to <= snapshot.plan.tables->lfts.max_lid() ? owner : std::nullopt;
}

}  // namespace

std::optional<PathTraits> walk(const Snapshot& snapshot, PortId from, Lid to) {
  const Fabric& fabric = snapshot.fabric();
  const auto owner = owner_of(snapshot, to);
  if (!owner) return std::nullopt;
  const fabric::Sl2VlTables& maps = snapshot.plan.tables->sl2vl;
  PathTraits path;
  take_part(path, snapshot.links[from.index()]);
  if (!maps.empty() && !fabric.is_switch(fabric.port(from).node)) path.usable = carried(maps.end_port(from));
  const bool reached = follow(snapshot, from, to, *owner, [&](SwitchId sw, PortId in, PortId out) {
    if (!maps.empty()) path.usable &= carried(maps.at(sw, fabric.port(in).number, fabric.port(out).number));
    take_part(path, snapshot.links[in.index()]);
    take_part(path, snapshot.links[out.index()]);
  });
  if (!reached) return std::nullopt;
  take_part(path, snapshot.links[owner->index()]);
  return path;
}

std::optional<std::vector<PathHop>> trace(const Snapshot& snapshot, PortId from, Lid to) {
  const auto owner = owner_of(snapshot, to);
  std::vector<PathHop> hops;
  const auto pass = [&](SwitchId, PortId in, PortId out) { hops.push_back({in, out}); };
  if (!owner || !follow(snapshot, from, to, *owner, pass)) return std::nullopt;
  return hops;
}

}  // namespace rch::sa
