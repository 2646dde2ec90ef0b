#pragma once

#include <cstddef>
#include <optional>

#include "engines/dfsssp/product.h"
#include "engines/dfsssp/virtual_layers.h"

namespace rch::engines::dfsssp {

/// Routes packets factor by factor, as dimension-order routing does, on minimal paths. In each factor pairs
/// of coordinates share one layer or divide into two; so a torus of three dimensions takes eight. Needs no
/// search over the fabric and no table of pairs of switches. Where links are missing, paths lead around them
/// inside their layers. Nothing, and `routes` is undefined, if they do not fit there, a factor needs more
/// layers, or `most` do not suffice.
std::optional<VirtualLayers> route_product(const Product& product, const HopMatrix& hops, std::size_t most,
                                           Routes& routes);

}  // namespace rch::engines::dfsssp
