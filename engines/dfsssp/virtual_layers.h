#pragma once

#include <cstdint>
#include <vector>

#include "engines/dfsssp/routes.h"
#include "engines/spanning_tree.h"

namespace rch::engines::dfsssp {

/// Virtual layers: a path stays on the VL of its layer, and the CDG of each layer is acyclic.
struct VirtualLayers {
  std::size_t count = 1;
  std::vector<std::uint8_t> layer_of = {};  ///< by destination switch; empty: by pair
  std::size_t detours = 0;                  ///< LIDs that some host reaches by no minimal path
  bool around_missing = false;              ///< detours lead around links that are missing
  bool keeps_sls = false;                   ///< so there may be detours, or more layers than needed
  std::vector<std::uint8_t> of_pair = {};   ///< by source switch, then destination
  /// The layer by the coordinates of both switches, a bit for each; empty: by destination or by pair.
  std::vector<fabric::SlRule::Dimension> digits = {};
  /// For multicast on layer 0; empty if one layer sufficed.
  std::vector<SpanningTree> trees = {};
};

/// LIDs that some host reaches by no minimal path.
std::size_t count_detours(const HopMatrix& hops, const Routes& routes);

/// Divides the destinations of `routes`, whose trees are minimal, among virtual layers. They stay as they are
/// if one layer suffices. Otherwise trees that do not fit into their layer are routed anew, as Nue does: on
/// the first of 1, 2, 4, … layers on which all trees can be minimal and a multicast tree fits, or with
/// detours on `most` layers, at least 1. Never fails. `variant`: of the partition (partition.h).
/// `needs_tree`: the multicast tree has to fit where one layer suffices, too.
VirtualLayers assign_virtual_layers(const HopMatrix& hops, std::size_t most, std::size_t variant,
                                    Routes& routes, bool needs_tree = false);

}  // namespace rch::engines::dfsssp
