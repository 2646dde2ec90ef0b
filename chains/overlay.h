#pragma once

#include <cstdint>
#include <vector>

#include "fabric/forwarding_tables.h"
#include "fabric/sub_fabric.h"

namespace rch::chains {

/// Which entries of its cover a step did not write.
struct Overlay {
  std::vector<std::uint64_t> holes;  ///< entries that stay as they were, in the form of RoutedStep::holes
  std::uint64_t dangling = 0;  ///< holes for which the engine had an entry that led nowhere within the step
};

/// Writes the entries of `step` (rows by view switch) over `tables` (rows by fabric switch), for every switch
/// of the view and every LID it routes. An entry is written only when following the step's own entries from
/// it reaches the destination switch; whole routes are what keeps the union of steps free of loops
/// (docs/chains.md).
Overlay overlay(const fabric::SubFabric& view, const fabric::ForwardingTables& step,
                fabric::ForwardingTables& tables);

/// Counts the entries of `tables` (rows by fabric switch) that a step does not overwrite on the switches of
/// its view: those for LIDs that it does not route, by output port of the fabric. Entries for switches count
/// only `with_switches`, as in load counters (OpenSM's osm_switch.c and docs/chains.md).
std::vector<std::uint32_t> entries_outside(const fabric::SubFabric& view,
                                           const fabric::ForwardingTables& tables, bool with_switches);

}  // namespace rch::chains
