#pragma once

#include <cstdint>
#include <vector>

#include "engines/engine.h"

namespace rch::engines::dfsssp {

/// A fabric cut into parts of equal size, each a switch with those around it. Destinations that are near each
/// other are reached by similar paths, and similar paths seldom close circles: each part is a virtual lane.
struct Regions {
  std::vector<SwitchId> centres;
  std::vector<std::uint8_t> of;  ///< by switch, index into centres
};

/// At most `count` regions, 1..255; fewer if there are fewer switches. The first centre is the switch with
/// the least sum of distances, each further one the switch farthest from those before it.
Regions cut_into_regions(const HopMatrix& hops, std::size_t count);

}  // namespace rch::engines::dfsssp
