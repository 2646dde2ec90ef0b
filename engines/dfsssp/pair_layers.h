#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engines/common/acyclic_cdg.h"
#include "engines/dfsssp/virtual_layers.h"

namespace rch::engines::dfsssp {

/// Each is a byte of the table of layers.
inline constexpr std::size_t kMostPairs = std::size_t{1} << 20;

/// A source and a destination.
struct SwitchPair {
  SwitchId to, from;
  friend auto operator<=>(const SwitchPair&, const SwitchPair&) = default;
};

/// Adds the paths from a switch to all LIDs on another, or none.
bool try_add_pair(const Routes& routes, const SwitchPair& pair, common::AcyclicCdg& layer);

/// Divides pairs of switches among virtual layers and changes no path. A pair, source and destination, goes
/// to the first layer whose CDG stays acyclic with the paths from the one to the LIDs on the other. This is
/// the method of DFSSSP (Domke, Hoefler, Nagel 2011). Of several orders of the pairs the one with the fewest
/// layers counts: three, and more on small fabrics. A multicast tree has room on layer 0. Nothing if `most`
/// layers do not suffice, or if there are too many pairs.
std::optional<VirtualLayers> layers_for_pairs(const HopMatrix& hops, const Routes& routes, std::size_t most);

}  // namespace rch::engines::dfsssp
