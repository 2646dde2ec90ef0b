#pragma once

#include <vector>

#include "fabric/switch_graph.h"

namespace rch::fabric {

/// All switches in the order of a breadth-first search from `root`, then from the first one of each further
/// component: neighbours get close numbers, whatever their GUIDs are. The ids of a Fabric go by GUID.
std::vector<SwitchId> breadth_first_order(const SwitchGraph& graph, SwitchId root = SwitchId(0));

}  // namespace rch::fabric
