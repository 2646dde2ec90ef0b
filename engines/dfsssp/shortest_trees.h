#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

/// Lays all trees along shortest paths: of all that lead to a destination the one whose channels carry the
/// least in sum, the first among equals. Trees are laid in the order of their `turns` (by tree); those to
/// switches without hosts last.
void lay_shortest_trees(const HopMatrix& hops, std::span<const std::uint8_t> turns, Routes& routes);

/// All of them laid anew, each with the loads of all others, as often as the size of the fabric allows: three
/// times up to a k=12 fat tree; nothing from a k=18 one on.
std::optional<Routes> lay_anew(const HopMatrix& hops, std::span<const std::uint8_t> turns,
                               const Routes& routes);

}  // namespace rch::engines::dfsssp
