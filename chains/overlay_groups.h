#pragma once

#include "fabric/adaptive_tables.h"
#include "fabric/routing_tables.h"
#include "fabric/sub_fabric.h"

namespace rch::chains {

/// Lays the groups of a step over those of earlier ones: every entry that the step wrote has its group, or
/// none. `step` is in the ids of the view, and empty where its engine is not adaptive. `routed` says what the
/// step covers, with its holes. A switch has the settings of the last adaptive step that covers it.
void overlay_groups(const fabric::SubFabric& view, fabric::AdaptiveTables&& step,
                    const fabric::RoutedStep& routed, fabric::RoutingTables& tables);

}  // namespace rch::chains
