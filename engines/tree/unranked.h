#pragma once

#include "engines/tree/tree.h"
#include "fabric/forwarding_tables.h"

namespace rch::engines::tree {

/// Adds entries for the LIDs that hang on a switch without a path to the roots, and for its own: hosts on one
/// such switch keep their paths to each other.
void deliver_on_unranked(const Tree& tree, fabric::ForwardingTables& lfts);

}  // namespace rch::engines::tree
