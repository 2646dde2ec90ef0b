#pragma once

#include <cstdint>

#include "engines/tree/tree.h"
#include "fabric/forwarding_tables.h"

namespace rch::engines::tree {

/// How evenly tables spread what hosts send, by the definitions of docs/metrics.md.
struct Spread {
  std::uint32_t destinations = 0;  ///< hosts that the link with most of them leads to
  /// Flows on the fullest link of the worst shift, hosts by switch and port.
  std::uint32_t worst_shift = 0;
  std::uint32_t worst_shift_in_tree = 0;  ///< the same, hosts in the order of the tree

  /// In every respect.
  bool no_worse_than(const Spread& other) const {
    return destinations <= other.destinations && worst_shift <= other.worst_shift &&
           worst_shift_in_tree <= other.worst_shift_in_tree;
  }
};

/// Follows the path of every pair of hosts, up and down, as the tables of this folder lead.
Spread spread_of(const Tree& tree, const fabric::ForwardingTables& lfts);

}  // namespace rch::engines::tree
