#pragma once

#include <cstdint>
#include <vector>

#include "engines/dfsssp/routes.h"
#include "engines/spanning_tree.h"

namespace rch::engines::dfsssp {

/// Virtual layers: the paths to a destination switch stay on the VL of its layer, and the CDG of each layer
/// is acyclic.
struct VirtualLayers {
  std::size_t count = 1;
  std::vector<std::uint8_t> layer_of;  ///< by destination switch
  std::size_t detours = 0;             ///< LIDs that some host reaches by no minimal path
  /// For multicast on layer 0; empty if one layer sufficed.
  std::vector<SpanningTree> trees = {};
};

/// How many layers may be used; both at least 1. The least applies if one layer does not suffice.
struct LayerRange {
  std::size_t least = 1;
  std::size_t most = 1;
};

/// Divides the trees of `routes`, which are minimal, among virtual layers. They stay as they are if one layer
/// suffices. Otherwise trees that do not fit into their layer are routed anew, as Nue does: on the first of
/// least, 2 * least, 4 * least, … layers on which all trees can be minimal and a multicast tree fits, or with
/// detours on all layers. Never fails.
VirtualLayers assign_virtual_layers(const HopMatrix& hops, LayerRange range, Routes& routes);

}  // namespace rch::engines::dfsssp
