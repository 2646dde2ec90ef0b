#pragma once

#include <optional>

#include "engines/common/incremental/installed_tables.h"
#include "engines/ftree/second_look.h"
#include "engines/pqft/structure.h"
#include "engines/tree/tree.h"

namespace rch::engines::pqft {

struct Options {
  tree::Lists lists = {};
  /// `pqft_structure`; none: any ranked tree will do.
  std::optional<Structure> structure = {};
  /// Damaged trees of up to that many end ports get a second look.
  std::size_t second_look = ftree::kMostSecondLooks;
  /// Tables in force. The result is the same without them; where they were made by the same rules it takes
  /// less time on trees without second look.
  std::optional<common::InstalledTables> installed = {};
};

/// Parallel and quasi fat trees by a closed formula, several LIDs a port included, also on trees that have
/// lost switches and cables (routing-engines 7). Cables between switches of one rank are not used.
///
/// Fails as tree::Tree::grow does; with `leaves-apart` when a leaf cannot reach another one up and down; and
/// as check_structure() does.
EngineResult route(const fabric::SubFabric& view, const Options& options);

}  // namespace rch::engines::pqft
