#pragma once

#include <span>

#include "engines/common/port_selection/weighted_graph.h"
#include "engines/engine.h"
#include "fabric/switch_graph.h"

namespace rch::engines::common {

/// Hops between all pairs of switches; HopMatrix::kUnknown without a path of at most 254
/// hops.
HopMatrix distances(const fabric::SwitchGraph& graph);

/// From every switch to some: a row by switch, a column for each of `destinations` in their order.
HopMatrix distances_to(const fabric::SwitchGraph& graph, std::span<const SwitchId> destinations);

/// Distances between all pairs by the usable links, each counted with its weight (OpenSM's osm_ucast_mgr.c).
HopMatrix distances(const WeightedGraph& links);

/// The same by the links of `graph`, whose switches have the same ids. `weights` need not have all its links.
HopMatrix distances(const fabric::SwitchGraph& graph, const WeightedGraph& weights);

}  // namespace rch::engines::common
