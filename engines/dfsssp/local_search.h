#pragma once

#include <cstddef>

#include "engines/common/path_distribution.h"
#include "engines/dfsssp/layer_cdgs.h"
#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

/// True if the fabric is small enough to examine all pairs of hosts, and each has one LID. Several LIDs are
/// for different paths, whatever their loads.
bool can_search(const Routes& routes);

/// Routes the trees to hosts by their numbers alone: of n channels on minimal paths, host t gets number
/// t * step mod n. Step 1 suits regular fat trees; step 0, always the first channel, grids.
void route_by_host_number(const HopMatrix& hops, std::size_t step, Routes& routes);

/// Local search for a better path distribution: a switch sends to one host by another minimal channel
/// wherever that lowers the cost of common::PathLoads. Ends at a local optimum or after the last round. Null
/// `layers`: credit loops do not matter.
common::PathDistribution search_locally(const HopMatrix& hops, const LayersInUse* layers, Routes& routes);

}  // namespace rch::engines::dfsssp
