#pragma once

#include <optional>

#include "engines/common/incremental/installed_tables.h"
#include "engines/ftree/second_look.h"
#include "engines/tree/tree.h"

namespace rch::engines::ftree {

struct Options {
  tree::Lists lists = {};
  /// Steps up that routes to I/O nodes may take after they have gone down. They join I/O nodes that hang
  /// above the leaves, and may bring credit loops.
  std::uint16_t max_reverse_hops = 0;
  /// Switches that no up-then-down route joins are joined by way of the last leaf. May bring credit loops.
  bool connect_roots = false;
  /// `quasi_ftree_indexing`: numbers leaves from the roots down.
  bool quasi_indexing = false;
  /// OpenSM's search with its counters; equal to OpenSM's tables. One LID a port, and no routes to routers.
  bool compat = false;
  /// Damaged trees of up to that many end ports get a second look.
  std::size_t second_look = kMostSecondLooks;
  /// Tables in force. The result is the same without them; where they were made by the same rules, and none
  /// of the options above asks for more than the formula, it takes less time on trees without second look.
  std::optional<common::InstalledTables> installed = {};
};

/// Fat trees: every destination has one way down from the roots, so that shifts of all hosts share no cable
/// on a regular tree. Fails when the view is no such tree: see tree::Tree::grow and, unless roots are named,
/// tree::find_irregularity; with `compat` also `lmc` (routing-engines 4).
EngineResult route(const fabric::SubFabric& view, const Options& options);

}  // namespace rch::engines::ftree
