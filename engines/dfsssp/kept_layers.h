#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engines/dfsssp/virtual_layers.h"
#include "engines/multicast/rejoined_tree.h"

namespace rch::engines::dfsssp {

/// Paths that hosts use now, and their layers.
struct InstalledLayers {
  static constexpr std::uint8_t kUnknown = 0xFF;

  Routes routes;                            ///< as installed; no output where a switch has lost its link
  std::vector<std::uint8_t> of_pair;        ///< by source switch, then destination
  std::vector<std::uint8_t> hops;           ///< likewise, when the paths were installed
  std::vector<multicast::Branch> branches;  ///< of the multicast tree on layer 0, as far as known
};

/// By switch: its installed path to the destination of a tree still arrives, and both are as far apart as
/// before. True for the destination.
std::vector<bool> living_paths(const HopMatrix& hops, const InstalledLayers& installed, std::uint32_t tree);

/// Divides pairs of switches among virtual layers where most paths of `routes` are installed. Hosts keep the
/// SL that they have until they ask again, so a pair stays on its layer. An installed path stays if it still
/// arrives and its ends are as far apart as before, even if it is not minimal. Others may change: to minimal
/// ones, which may take other entries nearby, or to detours. Pairs without a layer go to the first that they
/// fit into, and so do paths to switches without hosts that fit into no layer of their own: they carry
/// management only. A single layer gets no detours. Nothing if most paths would have to change, or if some
/// pair finds no path on its layer, or on any of `most` layers.
std::optional<VirtualLayers> keep_layers(const HopMatrix& hops, const InstalledLayers& installed,
                                         std::size_t most, Routes& routes);

/// The same where every layer reserves an escape tree, by which the paths lead that do not fit otherwise.
/// Never fails.
VirtualLayers keep_layers_by_escape_paths(const HopMatrix& hops, const InstalledLayers& installed,
                                          std::size_t most, Routes& routes);

}  // namespace rch::engines::dfsssp
