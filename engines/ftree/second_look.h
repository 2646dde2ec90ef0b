#pragma once

#include <cstddef>

#include "engines/tree/targets.h"
#include "engines/tree/ways.h"
#include "fabric/forwarding_tables.h"

namespace rch::engines::ftree {

/// Trees of more end ports have none: following all pairs takes time that grows with their square.
inline constexpr std::size_t kMostSecondLooks = 1024;

/// Where something is missing, tables by formula are held against those of OpenSM's search: if they have more
/// destinations on a link or a worse worst shift, what is displaced is dealt otherwise, and if that does not
/// help either, the tables are OpenSM's.
fabric::ForwardingTables look_again(const tree::Tree& tree, const tree::Ways& ways,
                                    const tree::Targets& targets, fabric::ForwardingTables by_formula);

}  // namespace rch::engines::ftree
