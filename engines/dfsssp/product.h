#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fabric/switch_graph.h"

namespace rch::engines::dfsssp {

/// A fabric whose switches form the Cartesian product of smaller graphs, its factors: a torus of rings, a
/// mesh of paths, a hypercube of single links, a HyperX of complete graphs. A link joins switches that differ
/// in the coordinate of one factor. Links may be missing.
struct Product {
  struct Factor {
    std::uint32_t size = 0;
    std::vector<std::uint16_t> coordinate;                       ///< by switch
    std::vector<std::pair<std::uint16_t, std::uint16_t>> edges;  ///< lesser coordinate first, ascending
    std::vector<std::uint32_t> joined;                           ///< by edge, pairs of switches joined so
  };
  std::vector<Factor> factors;  ///< at least two
};

/// Nothing if the fabric is no product.
std::optional<Product> find_product(const fabric::SwitchGraph& graph);

}  // namespace rch::engines::dfsssp
