#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engines/dfsssp/kept_layers.h"

namespace rch::engines::dfsssp {

/// Keeps all pairs of switches on their installed layers, as keep_layers() does, but any installed path may
/// change: a lost path takes the place of others, which are routed again in their turn. This is rip-up and
/// reroute as in PathFinder (McMurchie, Ebeling: FPGA 1995), where a place that many contend for costs more
/// and more. Then paths leave the channels that carry more than `enough` flows. Entries of `routes` that no
/// path needs stay as they are. Nothing if some pair has no installed layer, on large fabrics, or if the
/// search ends before each pair has a path.
std::optional<VirtualLayers> keep_layers_by_rip_up(const HopMatrix& hops, const InstalledLayers& installed,
                                                   std::size_t most, std::uint64_t enough, Routes& routes);

}  // namespace rch::engines::dfsssp
