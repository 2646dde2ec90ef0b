#include "fabric/fabric.h"

namespace rch::fabric {

std::span<const EndPort> Fabric::end_ports_of(SwitchId sw) const {
  const std::uint32_t begin = end_port_begin_[sw.index()];
  return std::span(end_ports_).subspan(begin, end_port_begin_[sw.index() + 1] - begin);
}

std::optional<NodeId> Fabric::find_node(Guid node_guid) const {
  const auto found = identity_->node_by_guid.find(node_guid);
  if (found == identity_->node_by_guid.end()) return std::nullopt;
  return found->second;
}

std::optional<SwitchId> Fabric::find_switch(Guid node_guid) const {
  const auto node = find_node(node_guid);
  return node ? switch_id(*node) : std::nullopt;
}

std::optional<PortId> Fabric::find_port(Guid port_guid) const {
  const auto found = identity_->port_by_guid.find(port_guid);
  if (found == identity_->port_by_guid.end()) return std::nullopt;
  return found->second;
}

}  // namespace rch::fabric
