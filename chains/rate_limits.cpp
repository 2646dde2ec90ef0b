#include "chains/rate_limits.h"

#include "policy/model/enhanced_qos.h"

namespace rch::chains {
namespace {

/// Ascending.
std::vector<policy::GroupId> groups_of(const policy::BoundPolicy& bound, PortId port) {
  std::vector<policy::GroupId> groups;
  for (std::uint32_t g = 0; g < bound.groups.size(); ++g)
    if (bound.groups[g].contains(port)) groups.emplace_back(g);
  return groups;
}

}  // namespace

fabric::RateLimitTables rate_limit_tables(const policy::BoundPolicy& bound) {
  const auto& policy = bound.policy->enhanced_qos;
  if (!policy) return {};
  const fabric::Fabric& fabric = *bound.fabric;
  fabric::RateLimitTables tables(fabric.ports().size());
  for (const fabric::EndPort& end_port : fabric.end_ports()) {
    const fabric::Port& port = fabric.port(end_port.port);
    if (fabric.node(port.node).type != fabric::NodeType::ca || port.peer.is_none()) continue;
    tables.set(end_port.port, tables.intern(policy::enhanced_qos::port_rates(
                                  *policy, port.guid, groups_of(bound, end_port.port))));
  }
  return tables;
}

}  // namespace rch::chains
