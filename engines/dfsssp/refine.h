#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/dfsssp/routes.h"
#include "engines/dfsssp/spread.h"
#include "engines/spanning_tree.h"

namespace rch::engines::dfsssp {

/// Lanes that must stay without circles.
struct LanesInUse {
  std::size_t count = 1;
  std::span<const std::uint8_t> of;         ///< by destination switch
  std::span<const SpanningTree> multicast;  ///< whose packets are on lane 0
};

/// The fabric is small enough to look at all pairs of hosts, and these have one LID each: several are for
/// different ways, whatever they carry.
bool can_refine(const Routes& routes);

/// Lays the trees to hosts anew by numbers alone: of n channels that lead nearer host number t gets the
/// (t * step mod n)-th. Step 1 suits whole fat trees; step 0, the first channel always, grids.
void rotate(const HopMatrix& hops, std::size_t step, Routes& routes);

/// Lets switches send to one host or another by another channel of shortest paths wherever that spreads paths
/// more evenly (Spread), until nothing does or the last round is over. Null for `lanes`: circles do not
/// matter.
Spread::Peaks refine(const HopMatrix& hops, const LanesInUse* lanes, Routes& routes);

}  // namespace rch::engines::dfsssp
