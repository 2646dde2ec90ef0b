#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engines/dfsssp/virtual_layers.h"

namespace rch::engines::dfsssp {

/// Paths that hosts use now, and their layers.
struct InstalledLayers {
  static constexpr std::uint8_t kUnknown = 0xFF;

  Routes routes;
  std::vector<std::uint8_t> of_pair;  ///< by source switch, then destination
};

/// Divides pairs of switches among virtual layers and changes no path. A pair, source and destination, goes
/// to the first layer whose CDG stays acyclic with the paths from the one to the LIDs on the other. This is
/// the method of DFSSSP (Domke, Hoefler, Nagel 2011). Of three orders of the pairs the one with the fewest
/// layers counts. A multicast tree has room on layer 0. Nothing if `most` layers do not suffice, or if there
/// are too many pairs.
std::optional<VirtualLayers> layers_for_pairs(const HopMatrix& hops, const Routes& routes, std::size_t most);

/// The same for paths of which most are installed. A pair stays on its layer where it fits, those with
/// unchanged paths first: hosts keep the SL that they have. So there may be more layers than needed.
std::optional<VirtualLayers> keep_layers_of_pairs(const HopMatrix& hops, const Routes& routes,
                                                  const InstalledLayers& installed, std::size_t most);

}  // namespace rch::engines::dfsssp
