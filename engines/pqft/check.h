#pragma once

#include <string>
#include <vector>

#include "engines/pqft/structure.h"
#include "engines/tree/tree.h"

namespace rch::engines::pqft {

/// Fails when the tree has more than the structure says: `structure-levels`, `structure-switches`,
/// `structure-above`, `structure-below`, `structure-hosts`. What it has less (cables, switches, hosts) is
/// told in remarks.
common::Attempt<std::vector<std::string>> check_structure(const tree::Tree& tree, const Structure& structure);

}  // namespace rch::engines::pqft
