#pragma once

#include <cstdint>
#include <vector>

#include "engines/engine.h"

namespace rch::engines::dfsssp {

/// Destination switches divided into parts of equal size, one for each virtual layer (Nue, step 1). A part is
/// a centre with the switches around it: paths to destinations near each other are similar, and similar paths
/// seldom close a cycle.
struct Partition {
  std::vector<SwitchId> centres;
  std::vector<std::uint8_t> part_of;  ///< by switch, index into centres
};

/// At most `count` parts, 1..255; fewer if there are fewer switches. The first centre is the switch with the
/// least sum of distances, each further one the switch farthest from the centres before it. Another `variant`
/// begins with the switch that many places behind the first one, by that sum.
Partition partition_destinations(const HopMatrix& hops, std::size_t count, std::size_t variant = 0);

}  // namespace rch::engines::dfsssp
