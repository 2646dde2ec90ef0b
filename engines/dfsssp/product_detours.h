#pragma once

#include <optional>
#include <vector>

#include "engines/dfsssp/product_lines.h"
#include "engines/dfsssp/virtual_layers.h"

namespace rch::engines::dfsssp {

/// A switch without the link by which it would send to the destination of a tree.
struct MissingHop {
  std::uint32_t tree;
  SwitchId at;
  friend auto operator<=>(const MissingHop&, const MissingHop&) = default;
};

/// Routes of a product (product_routes.h) in which few links are missing: leads paths around them inside the
/// layers that their pairs have. A path leaves its line to do so, where that is shorter and closes no cycle;
/// else it stays in its line. `one_way`: paths pass a missing switch on one side where they can, whether they
/// are short or not, since those that pass it on both sides may close a cycle around it. `dependencies`: by
/// layer, what other paths, those in damaged lines and multicast packets may use; acyclic. Counts LIDs that
/// some host reaches by no minimal path in `layers`. False, and `routes` is incomplete, if some path does not
/// fit.
bool lead_around(const std::vector<MissingHop>& missing, const HopMatrix& hops, const DamagedLines& lines,
                 bool one_way, const std::vector<common::DependencyGraph>& dependencies,
                 VirtualLayers& layers, Routes& routes);

}  // namespace rch::engines::dfsssp
