#pragma once

#include <span>

#include "engines/dfsssp/product.h"
#include "engines/dfsssp/product_routes.h"
#include "fabric/routing_tables.h"

namespace rch::engines::dfsssp {

/// Gives the factors and coordinates of a product the order that they had when the installed tables were
/// made, since both depend on the numbers of switches, and these on the switches that are there. `sl`: of the
/// installed paths; `before`: by switch of the product, its number then, or none(). Returns the layers of
/// installed paths; factors that `sl` does not know have none, and keep their coordinates.
FactorLayers number_as_installed(const fabric::SlRule& sl, std::span<const SwitchId> before,
                                 Product& product);

}  // namespace rch::engines::dfsssp
