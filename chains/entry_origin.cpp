#include "chains/entry_origin.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace rch::chains {
namespace {

using fabric::Fabric;

constexpr std::uint32_t kApart = std::numeric_limits<std::uint32_t>::max();

/// The switch that a LID hangs on, or is.
std::optional<SwitchId> switch_of(const Fabric& fabric, Lid lid) {
  const auto owner = fabric.lid_owner(lid);
  if (!owner) return std::nullopt;
  const fabric::Port& port = fabric.port(*owner);
  if (fabric.is_switch(port.node)) return fabric.switch_id(port.node);
  return port.peer.is_none() ? std::nullopt : fabric.switch_id(fabric.port(port.peer).node);
}

/// Links from every switch to one of them.
std::vector<std::uint32_t> distances_to(const Fabric& fabric, SwitchId to) {
  std::vector<std::uint32_t> distance(fabric.switch_count(), kApart);
  distance[to.index()] = 0;
  for (std::deque<SwitchId> reached{to}; !reached.empty(); reached.pop_front())
    for (const fabric::Neighbor& next : fabric.graph().neighbors(reached.front()))
      if (distance[next.sw.index()] == kApart) {
        distance[next.sw.index()] = distance[reached.front().index()] + 1;
        reached.push_back(next.sw);
      }
  return distance;
}

/// The ports of `sw` on shortest paths to a LID at `to`.
std::vector<PortNum> shortest_ports(const Fabric& fabric, const std::vector<std::uint32_t>& distance,
                                    SwitchId sw, SwitchId to, Lid lid) {
  std::vector<PortNum> ports;
  if (sw == to) {
    const fabric::Port& owner = fabric.port(*fabric.lid_owner(lid));
    ports.push_back(fabric.is_switch(owner.node) ? PortNum(0) : fabric.port(owner.peer).number);
    return ports;
  }
  for (const fabric::Neighbor& next : fabric.graph().neighbors(sw))
    if (distance[sw.index()] != kApart && distance[next.sw.index()] + 1 == distance[sw.index()])
      for (const fabric::SwitchLink& link : fabric.graph().links(next)) ports.push_back(link.out);
  std::ranges::sort(ports);
  return ports;
}

void find_steps(const fabric::RoutingTables& tables, SwitchId sw, Lid lid, EntryOrigin& origin) {
  if (origin.port == kNoPath || tables.steps.empty()) return;
  origin.step = tables.step_of(sw, lid);
  for (std::size_t i = 0; i < tables.steps.size(); ++i) {
    const fabric::RoutedStep& step = tables.steps[i];
    if (i == *origin.step || !step.switches.contains(sw) || !step.lids.contains(lid)) continue;
    (step.covers(sw, lid) ? origin.overlaid : origin.left_empty).push_back(i);
  }
}

}  // namespace

std::vector<std::uint64_t> lids_by_port(const Fabric& fabric, const fabric::RoutingTables& tables,
                                        SwitchId sw) {
  std::vector<std::uint64_t> lids(256);
  for (const fabric::EndPort& host : fabric.end_ports())
    for (unsigned k = 0; host.lid != kUnassignedLid && k < 1U << host.lmc; ++k) {
      const Lid lid(static_cast<std::uint16_t>(host.lid.value + k));
      if (lid <= tables.lfts.max_lid()) ++lids[tables.lfts.at(sw, lid)];
    }
  return lids;
}

EntryOrigin entry_origin(const Fabric& fabric, const fabric::RoutingTables& tables, SwitchId sw, Lid lid) {
  EntryOrigin origin{.port = tables.lfts.at(sw, lid)};
  find_steps(tables, sw, lid, origin);
  const auto to = switch_of(fabric, lid);
  if (!to) return origin;
  const std::vector<std::uint32_t> distance = distances_to(fabric, *to);
  if (distance[sw.index()] != kApart) origin.distance = distance[sw.index()];
  const std::vector<std::uint64_t> lids = lids_by_port(fabric, tables, sw);
  for (const PortNum port : shortest_ports(fabric, distance, sw, *to, lid)) {
    origin.candidates.push_back({port, lids[port.index()]});
    origin.is_shortest = origin.is_shortest || port.value == origin.port;
  }
  return origin;
}

}  // namespace rch::chains
