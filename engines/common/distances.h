#pragma once

#include "engines/engine.h"
#include "fabric/switch_graph.h"

namespace rch::engines::common {

/// Hops between all pairs of switches; HopMatrix::kUnknown where there is no way, or one of more than 254
/// hops.
HopMatrix distances(const fabric::SwitchGraph& graph);

}  // namespace rch::engines::common
