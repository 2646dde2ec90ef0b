#pragma once

#include <optional>

#include "engines/tree/tree.h"

namespace rch::engines::tree {

/// Why a tree is not regular: switches of one rank must have as many neighbours above as each other, with as
/// many cables to each, and, leaves aside, the same below (routing-engines 4.4). Names the first switch that
/// differs and the one it was compared with.
std::optional<EngineFailure> find_irregularity(const Tree& tree);

}  // namespace rch::engines::tree
