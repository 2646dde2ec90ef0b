#include "engines/multicast/branches.h"

#include <algorithm>

namespace rch::engines::multicast {
namespace {

/// Port of a switch that hands packets to a member; none if it hangs on no switch.
PortId delivering_port(const fabric::Fabric& fabric, PortId member) {
  const fabric::Port& port = fabric.port(member);
  if (fabric.is_switch(port.node)) return member;
  if (port.peer.is_none() || !fabric.is_switch(fabric.port(port.peer).node)) return PortId::none();
  return port.peer;
}

/// Adds both ends of a link between two neighbours.
void join(const fabric::Fabric& fabric, SwitchId a, SwitchId b, Lid mlid, std::vector<PortId>& ports) {
  for (const fabric::Neighbor& n : fabric.graph().neighbors(a)) {
    if (n.sw != b) continue;
    const fabric::SwitchLink& link = fabric.graph().links(n)[mlid.value % n.link_count];
    ports.push_back(fabric.port_id(a, link.out));
    ports.push_back(fabric.port_id(b, link.in));
  }
}

/// Members at or below each switch of the tree; 0 outside of it.
std::vector<std::uint32_t> members_below(const fabric::Fabric& fabric, const SpanningTree& tree,
                                         std::span<const PortId> delivering) {
  std::vector<std::uint32_t> here(tree.parent.size()), below(tree.parent.size());
  for (PortId port : delivering) ++here[fabric.port(port).node.index()];
  for (auto sw = tree.order.rbegin(); sw != tree.order.rend(); ++sw) {
    below[sw->index()] += here[sw->index()];
    if (const SwitchId up = tree.parent[sw->index()]; !up.is_none()) below[up.index()] += below[sw->index()];
  }
  return below;
}

}  // namespace

std::vector<PortId> branches(const fabric::Fabric& fabric, const SpanningTree& tree,
                             std::span<const PortId> members, Lid mlid) {
  std::vector<PortId> delivering, ports;
  for (PortId member : members)
    if (const PortId port = delivering_port(fabric, member); !port.is_none()) delivering.push_back(port);
  const std::vector<std::uint32_t> below = members_below(fabric, tree, delivering);
  const std::uint32_t reached = tree.order.empty() ? 0 : below[tree.order.front().index()];
  if (reached < 2) return {};

  for (PortId port : delivering)
    if (below[fabric.port(port).node.index()] != 0) ports.push_back(port);
  // A branch is needed when members are on both of its sides.
  for (SwitchId sw : tree.order)
    if (!tree.parent[sw.index()].is_none() && below[sw.index()] != 0 && below[sw.index()] != reached)
      join(fabric, sw, tree.parent[sw.index()], mlid, ports);
  std::ranges::sort(ports);
  return ports;
}

}  // namespace rch::engines::multicast
