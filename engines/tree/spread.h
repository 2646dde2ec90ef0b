#pragma once

#include <cstdint>

#include "engines/common/path_distribution.h"
#include "engines/tree/tree.h"
#include "fabric/forwarding_tables.h"

namespace rch::engines::tree {

/// The path distribution of tables, and the worst shift in the order of the tree (docs/metrics.md).
struct Spread {
  common::PathDistribution all;           ///< hosts by switch and port
  std::uint32_t worst_shift_in_tree = 0;  ///< hosts in the order of the tree

  /// In every respect.
  bool no_worse_than(const Spread& other) const {
    return all.no_worse_than(other.all) && worst_shift_in_tree <= other.worst_shift_in_tree;
  }
};

/// Follows the path of every pair of hosts, up and down, as the tables of this folder lead.
Spread spread_of(const Tree& tree, const fabric::ForwardingTables& lfts);

}  // namespace rch::engines::tree
