#pragma once

#include <cstdint>
#include <vector>

#include "verify/dependencies.h"

namespace rch::verify {

/// A cycle of the channel dependency graph.
struct Cycle {
  std::vector<std::uint32_t> channels;  ///< each depends on the next, the last on the first; empty: none
  std::uint64_t concerned = 0;          ///< channels on cycles
};

/// Linear in the graph.
bool has_cycle(const ChannelDependencyGraph& graph);

/// Number of channels that lie on cycles. Linear in the graph.
std::uint64_t channels_on_cycles(const ChannelDependencyGraph& graph);

/// Looks for cycles in time linear in the graph; then for a short one (Dally and Seitz 1987): the shortest
/// through any of up to 256 channels of the smallest strongly connected component.
Cycle shortest_cycle(const ChannelDependencyGraph& graph);

}  // namespace rch::verify
