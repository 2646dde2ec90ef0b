#pragma once

#include <cstdint>
#include <span>

#include "engines/dfsssp/hop_bits.h"
#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

struct SsspTables {
  fabric::ForwardingTables lfts;
  bool even;  ///< as Evenness tells
};

/// Tables of balanced minimal paths to the trees of `routes` (SSSP; Hoefler, Schneider, Lumsdaine: Optimized
/// Routing for Large-Scale InfiniBand Networks, HOTI 2009). LIDs with lower `priorities` (by tree) are routed
/// first. Destinations without hosts add no load.
SsspTables sssp_tables(const fabric::SwitchGraph& graph, const HopMatrix& hops, const HopBits& bits,
                       std::span<const std::uint8_t> priorities, const Routes& routes);

}  // namespace rch::engines::dfsssp
