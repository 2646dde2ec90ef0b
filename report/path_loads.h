#pragma once

#include <cstdint>
#include <vector>

#include "fabric/routing_tables.h"

namespace rch::report {

/// What every host sends to every LID of the others: pairs of a source port and a LID, on each cable.
struct PathLoads {
  /// By index of the step that wrote the entry a packet leaves a switch by, then PortId of the port on that
  /// switch. Ports that lead to no switch have 0.
  std::vector<std::vector<std::uint64_t>> by_step;
  std::vector<std::uint64_t> hops;  ///< pairs by cables on their path, those to hosts included
  std::uint64_t pairs = 0;          ///< whose path arrives; others load nothing
};

/// Follows every path. Service levels do not matter. The same result for any number of threads.
PathLoads path_loads(const fabric::Fabric& fabric, const fabric::RoutingTables& tables);

}  // namespace rch::report
