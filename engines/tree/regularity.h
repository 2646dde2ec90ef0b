#pragma once

#include <optional>

#include "engines/tree/tree.h"

namespace rch::engines::tree {

/// Fails when switches of one rank differ in up groups, links per up group or, above the leaves, in down
/// groups or links per down group (OpenSM's osm_ucast_ftree.c). A CA counts as a down group. The failure
/// names the first switch that differs, and the switch it was compared with.
std::optional<EngineFailure> check_regularity(const Tree& tree);

}  // namespace rch::engines::tree
