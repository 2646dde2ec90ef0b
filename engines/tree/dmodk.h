#pragma once

#include "engines/tree/dmodk_input.h"
#include "engines/tree/installed_tree.h"
#include "fabric/forwarding_tables.h"

namespace rch::engines::tree {

/// Forwarding tables in closed form (D-Mod-K, Zahavi 2010; for damaged trees after Dmodc, Gliksberg 2020).
/// Of n candidate port groups towards NID t, a switch of rank r selects number (t / P) mod n; P is the number
/// of up paths from a leaf to rank r. On a regular tree, every link down then serves destinations of its own,
/// and no shift of all compute nodes shares a link.
///
/// `installed`, which must be comparable if given, saves work where nothing differs; the result is the same.
/// `rotation` selects other up groups for destinations whose own is missing (repair pass).
fabric::ForwardingTables route_dmodk(const DmodkInput& input, const InstalledTree* installed = nullptr,
                                     std::uint32_t rotation = 0);

}  // namespace rch::engines::tree
