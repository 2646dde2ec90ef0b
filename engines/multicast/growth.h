#pragma once

#include <span>

#include "engines/spanning_tree.h"
#include "fabric/switch_graph.h"

namespace rch::engines::multicast {

/// Breadth-first tree over all switches that `root` reaches; of equally near parents a switch gets the one
/// that was reached first, by lowest port (routing-engines 11.3).
///
/// `islands` are trees over parts of the same graph without a switch in common. Inside an island the tree
/// takes the island's branches alone, and it crosses into each island once.
SpanningTree grow(const fabric::SwitchGraph& graph, SwitchId root,
                  std::span<const SpanningTree* const> islands = {});

}  // namespace rch::engines::multicast
