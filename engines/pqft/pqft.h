#pragma once

#include <optional>

#include "engines/common/incremental/installed_tables.h"
#include "engines/ftree/repair_pass.h"
#include "engines/pqft/structure.h"
#include "engines/tree/tree.h"

namespace rch::engines::pqft {

struct Options {
  tree::Lists lists = {};
  /// `pqft_structure`; none: any ranked tree is accepted.
  std::optional<Structure> structure = {};
  /// The repair pass runs on damaged trees of at most so many end ports.
  std::size_t max_repaired_end_ports = ftree::kMaxRepairedEndPorts;
  /// Installed tables. The result is the same without them. It takes less time if the same rules made them
  /// and there is no repair pass.
  std::optional<common::InstalledTables> installed = {};
};

/// Parallel and quasi fat trees, whole or damaged, by D-Mod-K (docs/engines.md, Fat trees). Routes all LIDs
/// of a port. Does not use links between siblings.
///
/// Fails as tree::Tree::build and check_structure() do, and with `leaves-apart` when no up-down path joins
/// two leaves.
EngineResult route(const fabric::SubFabric& view, const Options& options);

}  // namespace rch::engines::pqft
