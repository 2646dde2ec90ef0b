#pragma once

#include <cstdint>
#include <vector>

#include "engines/dfsssp/routes.h"
#include "engines/spanning_tree.h"

namespace rch::engines::dfsssp {

/// Which virtual lane the packets to each destination switch keep to, all the way.
struct Lanes {
  std::size_t count = 1;
  std::vector<std::uint8_t> of;  ///< by destination switch
  std::size_t detours = 0;       ///< LIDs that some host reaches by no shortest path
  /// For multicast on lane 0; empty where routes stayed as they came.
  std::vector<SpanningTree> trees = {};
};

/// How many lanes may be used; both at least 1. The least holds where routes that come do not do with one.
struct LaneRange {
  std::size_t least = 1;
  std::size_t most = 1;
};

/// Sees to it that no lane has a circle of dependencies, with at most so many lanes. Routes
/// come as shortest trees. They stay as they are if they close no circle on one lane; otherwise trees are
/// laid anew where they do not fit into their lane: on the first of 1, 2, 4, … times the least number of
/// lanes on which all can be shortest and a tree for multicast has room, or on all lanes with detours. Never
/// fails.
Lanes keep_apart(const HopMatrix& hops, LaneRange range, Routes& routes);

}  // namespace rch::engines::dfsssp
