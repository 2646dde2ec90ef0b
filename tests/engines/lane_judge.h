#pragma once

// Judges tables that keep destinations apart by service level: pair by pair for paths, by verify/ and lane by
// lane for credit loops.

#include <string>

#include "engines/engine.h"
#include "fabric/fabric.h"

namespace rch::test {

/// The fabric with a LID for every end port, ascending.
fabric::Fabric with_ascending_lids(const fabric::Fabric& fabric);

/// The step as the routing of the whole fabric.
fabric::RoutingTables whole_routing(const fabric::Fabric& fabric, const engines::StepTables& tables);

/// Distinct service levels of paths.
std::size_t lane_count(const fabric::Fabric& fabric, const engines::StepTables& tables);

/// True if every switch that is joined to another reaches each LID of it by as few hops as there can be.
bool is_shortest(const fabric::Fabric& fabric, const engines::StepTables& tables);

/// True if a remark says that some paths are longer.
bool has_detours(const engines::StepTables& tables);

/// What is wrong, one line each; empty: nothing. Pairs that the hop matrix joins must reach each other, no
/// lane may have a circle, and verify/ may find nothing but pairs that no cable joins.
std::string lane_faults(const fabric::Fabric& fabric, const engines::StepTables& tables);

}  // namespace rch::test
