#pragma once

#include <cstdint>
#include <vector>

#include "fabric/forwarding_tables.h"
#include "fabric/sub_fabric.h"

namespace rch::chains {

/// What was left open when a step was laid over earlier ones.
struct Overlay {
  std::vector<std::uint64_t>
      holes;  ///< entries of the step's cover that stay as they were, form of RoutedStep::holes
  std::uint64_t dangling = 0;  ///< holes for which the engine had an entry that led nowhere within the step
};

/// Writes the entries of `step` (rows by view switch) over `tables` (rows by fabric switch), for every switch
/// of the view and every LID it routes. An entry is written only when following the step's own entries from
/// it reaches the destination switch; whole routes are what keeps the union of steps free of loops
/// (routing-engines 8.3).
Overlay lay_over(const fabric::SubFabric& view, const fabric::ForwardingTables& step,
                 fabric::ForwardingTables& tables);

/// What a step laid over `tables` (rows by fabric switch) leaves in force on the switches of its view:
/// entries for LIDs that it does not route, by the port of the fabric they leave by. Those for switches count
/// only `with_switches`, as in load counters (routing-engines 1.6, 8.4).
std::vector<std::uint32_t> entries_outside(const fabric::SubFabric& view,
                                           const fabric::ForwardingTables& tables, bool with_switches);

}  // namespace rch::chains
