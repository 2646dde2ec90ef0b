#pragma once

#include <vector>

#include "fabric/switch_graph.h"

namespace rch::fabric {

/// All switches in the order of a breadth-first search from the first one of each component: neighbours get
/// close numbers, whatever their GUIDs are. For code whose speed depends on locality; the ids of a Fabric go
/// by GUID.
std::vector<SwitchId> breadth_first_order(const SwitchGraph& graph);

}  // namespace rch::fabric
