#include "chains/rate_limits.h"

#include <set>
#include <vector>

#include "policy/model/enhanced_qos.h"

namespace rch::chains {
namespace {

/// By PortId, ascending: the groups with a rule that the port is in.
std::vector<std::vector<policy::GroupId>> ruled_groups(const policy::BoundPolicy& bound,
                                                       const policy::enhanced_qos::Section& section) {
  std::set<policy::GroupId> named;
  for (const policy::enhanced_qos::GroupRule& rule : section.groups) named.insert(rule.group);
  std::vector<std::vector<policy::GroupId>> groups(bound.fabric->ports().size());
  for (const policy::GroupId group : named)
    bound.groups[group.index()].for_each([&](PortId port) { groups[port.index()].push_back(group); });
  return groups;
}

}  // namespace

fabric::RateLimitTables rate_limit_tables(const policy::BoundPolicy& bound) {
  const auto& policy = bound.policy->enhanced_qos;
  if (!policy) return {};
  const fabric::Fabric& fabric = *bound.fabric;
  const auto groups = ruled_groups(bound, policy->ports);
  fabric::RateLimitTables tables(fabric.ports().size());
  for (const fabric::EndPort& end_port : fabric.end_ports()) {
    const fabric::Port& port = fabric.port(end_port.port);
    if (fabric.node(port.node).type != fabric::NodeType::ca || port.peer.is_none()) continue;
    tables.set(end_port.port, tables.intern(policy::enhanced_qos::port_rates(*policy, port.guid,
                                                                             groups[end_port.port.index()])));
  }
  return tables;
}

}  // namespace rch::chains
