#pragma once

#include "engines/tree/tree.h"
#include "fabric/forwarding_tables.h"

namespace rch::engines::ftree {

/// Routes to switches that are still missing on switches above the leaves go by the last leaf, so that all
/// turns from down to up are made in one place (`connect_roots`).
void detour_by_last_leaf(const tree::Tree& tree, fabric::ForwardingTables& lfts);

}  // namespace rch::engines::ftree
