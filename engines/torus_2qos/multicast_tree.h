#pragma once

#include <vector>

#include "engines/spanning_tree.h"
#include "engines/torus_2qos/torus.h"

namespace rch::engines::torus_2qos {

/// At most `count` multicast spanning trees over all switches, best roots first (docs/torus.md).
///
/// As in the man page: a trunk in the first dimension, branches from it in the second, from these in the
/// third, none across the dateline of an intact ring. Together with unicast routes, such a tree closes no
/// credit loop if the torus has lost nothing, links alone, or one switch. With more damage each tree needs a
/// proof.
///
/// Planes (all switches of one trunk coordinate) that lack a switch differ from the man page. Its tree takes
/// a branch across the dateline of the broken column, which can deadlock. Here every switch of such a plane
/// is a leaf on the next plane.
///
/// Roots near the middle come first; roots on intact rows come before others.
std::vector<SpanningTree> multicast_trees(const Torus& torus, std::size_t count);

}  // namespace rch::engines::torus_2qos
