#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engines/dfsssp/product.h"
#include "engines/dfsssp/virtual_layers.h"

namespace rch::engines::dfsssp {

/// By factor, then by coordinates from and to: 1 for pairs on the second of two layers. Empty for a factor:
/// not known.
using FactorLayers = std::vector<std::vector<std::uint8_t>>;

/// Routes packets factor by factor, as dimension-order routing does, on minimal paths. In each factor pairs
/// of coordinates share one layer or divide into two; so a torus of three dimensions takes eight. Needs no
/// search over the fabric and no table of pairs of switches. Where links are missing, paths lead around them
/// inside their layers. Pairs are on their `installed` layers where that fits, so hosts keep their SLs; it is
/// empty if nothing is installed. Nothing, and `routes` is undefined, if paths do not fit, a factor needs
/// more layers, or `most` do not suffice.
std::optional<VirtualLayers> route_product(const Product& product, const FactorLayers& installed,
                                           const HopMatrix& hops, std::size_t most, Routes& routes);

}  // namespace rch::engines::dfsssp
