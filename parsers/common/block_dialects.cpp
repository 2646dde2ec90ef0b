#include "parsers/port_groups/port_groups.h"
#include "parsers/qos_policy/qos_policy.h"
#include "parsers/routing_chains/routing_chains.h"
#include "parsers/topologies/topologies.h"

namespace rch::parsers {

std::span<const BlockDialect* const> block_dialects() {
  static const BlockDialect* const all[] = {&port_groups::dialect(), &topologies::dialect(),
                                            &routing_chains::dialect(), &qos_policy::dialect()};
  return all;
}

}  // namespace rch::parsers
