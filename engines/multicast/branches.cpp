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

std::vector<PortId> delivering_ports(const fabric::Fabric& fabric, std::span<const PortId> members) {
  std::vector<PortId> ports;
  for (PortId member : members)
    if (const PortId port = delivering_port(fabric, member); !port.is_none()) ports.push_back(port);
  return ports;
}

/// Counts these ports at or below each switch of the tree; 0 outside of it.
std::vector<std::uint32_t> count_below(const fabric::Fabric& fabric, const SpanningTree& tree,
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
                             std::span<const PortId> members, std::span<const PortId> senders, Lid mlid) {
  if (tree.order.empty()) return {};
  const std::vector<PortId> delivering = delivering_ports(fabric, members);
  const std::vector<std::uint32_t> receive = count_below(fabric, tree, delivering),
                                   send = count_below(fabric, tree, delivering_ports(fabric, senders));
  const std::size_t root = tree.order.front().index();
  if (receive[root] == 0 || receive[root] + send[root] < 2) return {};

  std::vector<PortId> ports;
  for (PortId port : delivering)
    if (receive[fabric.port(port).node.index()] != 0) ports.push_back(port);
  // A branch is needed when a member is on one side, and another one or a sender on the other side.
  for (SwitchId sw : tree.order) {
    const std::uint32_t in = receive[sw.index()], all = in + send[sw.index()];
    const bool goes_up = all != 0 && in != receive[root],
               goes_down = in != 0 && all != receive[root] + send[root];
    if (!tree.parent[sw.index()].is_none() && (goes_up || goes_down))
      join(fabric, sw, tree.parent[sw.index()], mlid, ports);
  }
  std::ranges::sort(ports);
  return ports;
}

}  // namespace rch::engines::multicast
