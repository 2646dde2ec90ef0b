#pragma once

#include "engines/common/in_force.h"
#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

/// Lays all trees along shortest paths, by the tables in force wherever these still lead on by one; else by
/// the channel that the fewest trees have, the first among equals.
void keep_trees(const HopMatrix& hops, const common::InForce& held, Routes& routes);

}  // namespace rch::engines::dfsssp
