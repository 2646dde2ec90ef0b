#pragma once

#include <optional>

#include "engines/common/incremental/installed_tables.h"
#include "engines/ftree/repair_pass.h"
#include "engines/tree/tree.h"

namespace rch::engines::ftree {

struct Options {
  tree::Lists lists = {};
  /// Steps up that routes to I/O nodes may take after they have gone down, for I/O nodes above the leaves.
  /// May bring credit loops.
  std::uint16_t max_reverse_hops = 0;
  /// Joins switches without an up-down path by the last leaf. May bring credit loops.
  bool connect_roots = false;
  /// `quasi_ftree_indexing`: indexes switches from the roots down.
  bool quasi_indexing = false;
  /// OpenSM's search with its counters; equal to OpenSM's tables. One LID per port, and no routes to routers.
  bool compat = false;
  /// The repair pass runs on damaged trees of at most so many end ports.
  std::size_t max_repaired_end_ports = kMaxRepairedEndPorts;
  /// Installed tables. The result is the same without them. It takes less time if the same rules made them
  /// and D-Mod-K alone makes the tables.
  std::optional<common::InstalledTables> installed = {};
};

/// Fat trees by D-Mod-K (tree::route_dmodk): every destination has one path down from the roots, and shifts
/// of all hosts share no link of a regular tree. Fails as tree::Tree::build does and, unless roots are
/// listed, as tree::check_regularity does; with `compat` also with `lmc` (OpenSM's osm_ucast_ftree.c).
EngineResult route(const fabric::SubFabric& view, const Options& options);

}  // namespace rch::engines::ftree
