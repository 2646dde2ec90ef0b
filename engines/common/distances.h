#pragma once

#include "engines/common/port_plan.h"
#include "engines/engine.h"
#include "fabric/switch_graph.h"

namespace rch::engines::common {

/// Hops between all pairs of switches; HopMatrix::kUnknown where there is no way, or one of more than 254
/// hops.
HopMatrix distances(const fabric::SwitchGraph& graph);

/// The same by the cables of a plan, each counted with its weight (routing-engines 1.3).
HopMatrix distances(const PortPlan& plan);

}  // namespace rch::engines::common
