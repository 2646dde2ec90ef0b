#pragma once

#include <span>

#include "engines/spanning_tree.h"
#include "fabric/switch_graph.h"

namespace rch::engines::multicast {

/// Breadth-first tree over all switches that are reachable from `root`. Of equally near parents a switch gets
/// the one reached first, by lowest port (OpenSM's osm_mcast_mgr.c).
///
/// `subtrees` span disjoint parts of the same graph. Inside such a part the tree uses only branches of its
/// subtree, and it enters each part once.
SpanningTree breadth_first_tree(const fabric::SwitchGraph& graph, SwitchId root,
                                std::span<const SpanningTree* const> subtrees = {});

}  // namespace rch::engines::multicast
