#pragma once

#include <cstdint>
#include <vector>

#include "verify/dependencies.h"

namespace rch::verify {

/// Channels that wait for each other in a circle.
struct Cycle {
  std::vector<std::uint32_t> channels;  ///< each asks for the next, the last for the first; empty: no circle
  std::uint64_t concerned = 0;          ///< channels that lie on some circle
};

/// Linear in the graph.
bool has_cycle(const ChannelGraph& graph);

/// Looks for circles in time linear in the graph; then for a short one (routing-engines 12.3): the shortest
/// through any of up to 256 channels of the smallest strongly connected component.
Cycle shortest_cycle(const ChannelGraph& graph);

}  // namespace rch::verify
