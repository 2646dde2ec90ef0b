#pragma once

#include <string>
#include <vector>

#include "engines/pqft/structure.h"
#include "engines/tree/tree.h"

namespace rch::engines::pqft {

/// Fails when the tree has more than the structure: `structure-levels`, `structure-switches`,
/// `structure-above`, `structure-below`, `structure-hosts`. Returns remarks on missing switches and cables.
common::Attempt<std::vector<std::string>> check_structure(const tree::Tree& tree, const Structure& structure);

}  // namespace rch::engines::pqft
