#pragma once

#include <optional>
#include <vector>

#include "engines/dfsssp/virtual_layers.h"

namespace rch::engines::dfsssp {

/// A switch without the link by which it would send to the destination of a tree.
struct MissingHop {
  std::uint32_t tree;
  SwitchId at;
  friend auto operator<=>(const MissingHop&, const MissingHop&) = default;
};

/// Routes of a product (product_routes.h) in which few links are missing: leads paths around them inside the
/// layers that their pairs have, minimal ones first. `dependencies`: by layer, what other paths and multicast
/// packets on intact links may use; acyclic. Counts LIDs that some host reaches by no minimal path in
/// `layers`. False, and `routes` is incomplete, if some path does not fit.
bool lead_around(const std::vector<MissingHop>& missing, const HopMatrix& hops,
                 const std::vector<common::DependencyGraph>& dependencies, VirtualLayers& layers,
                 Routes& routes);

}  // namespace rch::engines::dfsssp
