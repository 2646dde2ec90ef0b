#pragma once

#include <span>

#include "engines/common/port_selection/port_context.h"
#include "engines/engine.h"
#include "fabric/switch_graph.h"

namespace rch::engines::common {

/// Hops between all pairs of switches; HopMatrix::kUnknown where there is no way, or one of more than 254
/// hops.
HopMatrix distances(const fabric::SwitchGraph& graph);

/// From every switch to some: a row by switch, a column for each of `destinations` in their order.
HopMatrix distances_to(const fabric::SwitchGraph& graph, std::span<const SwitchId> destinations);

/// Between all by the cables of a plan, each counted with its weight (routing-engines 1.3).
HopMatrix distances(const PortContext& plan);

/// The same by cables that the plan need not have all of; `graph` numbers switches as the plan does.
HopMatrix distances(const fabric::SwitchGraph& graph, const PortContext& costs);

}  // namespace rch::engines::common
