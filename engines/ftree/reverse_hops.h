#pragma once

#include "engines/tree/up_down_hops.h"
#include "fabric/forwarding_tables.h"

namespace rch::engines::ftree {

/// Adds routes to I/O nodes from switches without an up-down path to them (`max_reverse_hops`). Such routes
/// go up at most `max` times after they have gone down. Entries that `lfts` has stay.
void add_reverse_routes(const tree::Tree& tree, const tree::UpDownHops& hops, std::uint16_t max,
                        fabric::ForwardingTables& lfts);

}  // namespace rch::engines::ftree
