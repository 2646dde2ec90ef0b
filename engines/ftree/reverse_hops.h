#pragma once

#include "engines/tree/ways.h"
#include "fabric/forwarding_tables.h"

namespace rch::engines::ftree {

/// Routes to I/O nodes from switches that have no way up and down again to them (`max_reverse_hops`): such
/// routes go up at most `most` times after they have gone down. Routes that `lfts` has stay as they are.
void add_reverse_routes(const tree::Tree& tree, const tree::Ways& ways, std::uint16_t most,
                        fabric::ForwardingTables& lfts);

}  // namespace rch::engines::ftree
