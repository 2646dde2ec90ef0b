#pragma once

#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/multicast.h"

namespace rch::verify {

/// Row of a multicast forwarding table: the ports of one switch that carry a group.
struct GroupRow {
  SwitchId sw;
  std::span<const PortId> ports;
};

/// By ascending switch. The ports of the group must be ports of switches, ascending.
inline std::vector<GroupRow> rows(const fabric::Fabric& fabric, const fabric::MulticastGroup& group) {
  std::vector<GroupRow> result;
  const std::span<const PortId> ports(group.ports);
  for (std::size_t first = 0, last = 0; first < ports.size(); first = last) {
    const NodeId node = fabric.port(ports[first]).node;
    while (last < ports.size() && fabric.port(ports[last]).node == node) ++last;
    result.push_back({*fabric.switch_id(node), ports.subspan(first, last - first)});
  }
  return result;
}

}  // namespace rch::verify
