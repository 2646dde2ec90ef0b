#pragma once

#include <cstddef>
#include <optional>

#include "engines/common/incremental/installed_tables.h"
#include "engines/tree/dmodk_input.h"
#include "fabric/forwarding_tables.h"

namespace rch::engines::ftree {

/// Default limit of the repair pass. It follows all pairs, so its cost grows with the square of the end
/// ports.
inline constexpr std::size_t kMaxRepairedEndPorts = 1024;

/// Repairs the D-Mod-K tables of a damaged tree whose path distribution is worse than that of OpenSM's
/// search: more destinations on a link, or a worse worst shift. Tries other rotations of the displaced
/// destinations; takes OpenSM's tables if none helps.
///
/// Other tables may then suit the tree than before the last change. So where the same rules made `installed`,
/// its entries stay if that is about as even, and no worse than OpenSM's tables.
fabric::ForwardingTables repair(const tree::DmodkInput& input, fabric::ForwardingTables lfts,
                                const std::optional<common::InstalledTables>& installed);

}  // namespace rch::engines::ftree
