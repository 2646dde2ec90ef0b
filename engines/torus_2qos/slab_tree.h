#pragma once

#include <vector>

#include "engines/spanning_tree.h"
#include "engines/torus_2qos/torus.h"

namespace rch::engines::torus_2qos {

/// Trees for multicast over all switches of a torus, at most `count`, that close no circle of channels
/// together with the unicast routes of a torus that has lost nothing, links alone, or one switch
/// (torus-2qos 6.4; with more damage some may, so each wants proof). As the man page draws them: a trunk in
/// the first dimension, from it branches in the second, from these in the third, none across a dateline where
/// the ring is whole. Only slabs (all switches with one coordinate in the first dimension) that lack a switch
/// differ: the man page's tree would branch off a broken column that crosses the dateline, which can
/// deadlock; here every switch of such a slab hangs as a leaf on the slab next to it.
///
/// Roots near the middle come first, those on whole rows before others. Trees that would leave out a switch
/// are not among them.
std::vector<SpanningTree> slab_trees(const Torus& torus, std::size_t count);

}  // namespace rch::engines::torus_2qos
