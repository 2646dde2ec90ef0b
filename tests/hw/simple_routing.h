#pragma once

#include <vector>

#include "fabric/routing_tables.h"

namespace rch::hw::test {

/// LIDs 1, 2, ... in the order of ports, CA ports aligned to 2^lmc; a fabric without its own opinion.
std::vector<fabric::LidAssignment> simple_lids(const fabric::Fabric& fabric, std::uint8_t lmc);

/// Shortest paths, the lowest port each time, or the one to the last switch. `fabric` must have its LIDs.
/// With `shuffle_vls`, an SL2VL map of its own for each of three sorts of (in port, out port).
fabric::RoutingTables simple_tables(const fabric::Fabric& fabric, bool shuffle_vls, bool last = false);

}  // namespace rch::hw::test
