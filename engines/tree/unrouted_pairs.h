#pragma once

#include <string>
#include <vector>

#include "engines/tree/up_down_hops.h"
#include "fabric/forwarding_tables.h"

namespace rch::engines::tree {

/// Remarks on pairs of end ports without an up-down path that cables join: their number and one example.
/// Empty if there are none. Looks only at switches that `hops` does not join.
std::vector<std::string> remarks_on_unrouted_pairs(const Tree& tree, const UpDownHops& hops,
                                                   const fabric::ForwardingTables& lfts);

}  // namespace rch::engines::tree
