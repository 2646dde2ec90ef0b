#pragma once

#include <optional>

#include "engines/dfsssp/lanes.h"
#include "engines/dfsssp/valleys.h"

namespace rch::engines::dfsssp {

/// Lanes for shortest paths that stay as they are. Destinations that no path from a host leads to by a valley
/// share lane 0, where nothing closes a circle; each of the others takes the first lane from 1 on that it
/// fits into. Nothing if they are the most, if lanes run out, or if lane 0 has no room for a tree for
/// multicast that joins all hosts. On damaged fat trees they are spines that lost a cable: two or three lanes
/// do, and no host's paths bend.
std::optional<Lanes> set_valleys_aside(const Valleys& valleys, const Routes& routes, std::size_t most);

}  // namespace rch::engines::dfsssp
