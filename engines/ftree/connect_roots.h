#pragma once

#include "engines/tree/tree.h"
#include "fabric/forwarding_tables.h"

namespace rch::engines::ftree {

/// Fills entries for switch LIDs that are still missing above the leaves (`connect_roots`). They lead to the
/// last leaf, so that all down-up turns are made on one switch.
void connect_roots(const tree::Tree& tree, fabric::ForwardingTables& lfts);

}  // namespace rch::engines::ftree
