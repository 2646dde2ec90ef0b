#pragma once

#include "engines/tree/earlier_tree.h"
#include "engines/tree/targets.h"
#include "engines/tree/ways.h"
#include "fabric/forwarding_tables.h"

namespace rch::engines::tree {

/// Tables by a closed formula (routing-engines 7): of n neighbours that lie on a way to target number t,
/// switch s takes number (t / Pi(s)) mod n, where Pi(s) is the number of ways up from a leaf to the rank of
/// s; cables to one neighbour take turns. On a regular tree every cable downwards then serves targets of its
/// own alone, and shifts of all hosts share no cable.
///
/// `turn` moves the lanes of missing neighbours on to other ones, for a second look.
///
/// With `earlier`, which must be comparable if given, only what can differ is worked out; the result is the
/// same.
fabric::ForwardingTables route_by_digits(const Tree& tree, const Ways& ways, const Targets& targets,
                                         const EarlierTree* earlier = nullptr, std::uint32_t turn = 0);

}  // namespace rch::engines::tree
