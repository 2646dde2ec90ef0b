#pragma once

#include <cstdint>

#include "engines/tree/tree.h"
#include "fabric/forwarding_tables.h"

namespace rch::engines::opensm_compat {

/// OpenSM's tables for a fat tree, regular or not (OpenSM's osm_ucast_ftree.c). Routes one LID per port, and
/// no routers. `max_reverse_hops`: steps up that routes to I/O nodes may take after they have gone down.
fabric::ForwardingTables route_ftree(const tree::Tree& tree, std::uint16_t max_reverse_hops);

}  // namespace rch::engines::opensm_compat
