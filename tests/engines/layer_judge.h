#pragma once

// Judges tables whose paths are divided among virtual layers by SL: paths pair by pair; credit loops
// by verify/ and layer by layer.

#include <string>

#include "engines/engine.h"
#include "fabric/fabric.h"

namespace rch::test {

/// The fabric with a LID for every end port, ascending.
fabric::Fabric with_ascending_lids(const fabric::Fabric& fabric);

/// The step as the routing of the whole fabric.
fabric::RoutingTables whole_routing(const fabric::Fabric& fabric, const engines::StepTables& tables);

/// Distinct service levels of paths.
std::size_t layer_count(const fabric::Fabric& fabric, const engines::StepTables& tables);

/// True if every path from a switch with hosts is minimal.
bool is_minimal(const fabric::Fabric& fabric, const engines::StepTables& tables);

/// True if a remark says that some paths are not minimal.
bool has_detours(const engines::StepTables& tables);

/// Faults, one line each; empty: none. Pairs with a known distance must reach each other, no layer may have a
/// cycle, and verify/ may find nothing but unconnected pairs.
std::string layer_faults(const fabric::Fabric& fabric, const engines::StepTables& tables);

}  // namespace rch::test
