#pragma once

#include <cstddef>
#include <optional>

#include "engines/dfsssp/virtual_layers.h"

namespace rch::engines::dfsssp {

/// Divides pairs of switches among virtual layers and changes no path. A pair, source and destination, goes
/// to the first layer whose CDG stays acyclic with the paths from the one to the LIDs on the other. This is
/// the method of DFSSSP (Domke, Hoefler, Nagel 2011). Of three orders of the pairs the one with the fewest
/// layers counts. A multicast tree has room on layer 0. Nothing if `most` layers do not suffice, or if there
/// are too many pairs.
std::optional<VirtualLayers> layers_for_pairs(const HopMatrix& hops, const Routes& routes, std::size_t most);

}  // namespace rch::engines::dfsssp
