#pragma once

#include <optional>

#include "engines/dfsssp/down_up_turns.h"
#include "engines/dfsssp/virtual_layers.h"

namespace rch::engines::dfsssp {

/// Virtual layers for minimal paths that stay as they are. Destinations that no path from a host reaches with
/// a down-up turn share layer 0, whose CDG is acyclic. Each other takes the first further layer that it fits
/// into. If that makes more than two layers, pairs of switches are divided instead where that takes fewer:
/// only those whose own paths have turns leave layer 0, and only if they do not fit there. Nothing if most
/// destinations have turns, if more than `most` layers are needed, or if no multicast tree over all hosts
/// fits into layer 0. On damaged fat trees the others are spines that lost a link, and two layers suffice.
std::optional<VirtualLayers> layers_for_turns(const DownUpTurns& turns, const Routes& routes,
                                              std::size_t most);

}  // namespace rch::engines::dfsssp
