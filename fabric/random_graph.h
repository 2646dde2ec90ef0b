#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace rch::fabric {

/// Edges (a < b, ascending) of a random connected graph without parallel edges in which every node has
/// `degree` neighbours; the same for the same seed on every machine. `degree` below `nodes`, product even,
/// degree 1 only for two nodes.
std::vector<std::pair<std::uint32_t, std::uint32_t>> random_regular_graph(std::uint32_t nodes,
                                                                          std::uint32_t degree,
                                                                          std::uint64_t seed);

}  // namespace rch::fabric
