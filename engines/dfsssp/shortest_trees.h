#pragma once

#include <cstdint>
#include <span>

#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

/// Lays all trees along shortest paths: of all that lead to a destination the one whose channels carry the
/// least in sum, the first among equals. Trees are laid in the order of their `turns` (by tree); those to
/// switches without hosts last.
void lay_shortest_trees(const HopMatrix& hops, std::span<const std::uint8_t> turns, Routes& routes);

}  // namespace rch::engines::dfsssp
