#pragma once

#include <cstdint>
#include <span>

#include "engines/dfsssp/hop_bits.h"
#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

/// Tables of shortest paths to all that `routes` lists trees for. The LIDs on a switch are dealt together: at
/// every switch, over the channels that lead nearer, the next LID always to the one from which on the least
/// is carried. LIDs are dealt in the order of their `turns` (by tree); switches without hosts raise no loads.
fabric::ForwardingTables lay_shortest_paths(const fabric::SwitchGraph& graph, const HopMatrix& hops,
                                            const HopBits& bits, std::span<const std::uint8_t> turns,
                                            const Routes& routes);

}  // namespace rch::engines::dfsssp
