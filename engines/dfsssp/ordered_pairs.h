#pragma once

#include <cstddef>
#include <optional>

#include "engines/dfsssp/virtual_layers.h"
#include "fabric/switch_graph.h"

namespace rch::engines::dfsssp {

/// Divides pairs of switches between two virtual layers by an order of the switches in which each group of
/// closely linked ones is consecutive: pairs whose source comes first, and the others. On fabrics of a small
/// diameter, such as dragonflies and slim flies, nearly all paths fit so, and no search over the fabric is
/// needed. The few pairs that do not fit go to the first of `most` layers that has room. Changes no path. A
/// multicast tree has room on layer 0. Nothing if too many pairs are left, or if `most` layers do not
/// suffice.
std::optional<VirtualLayers> layers_for_ordered_pairs(const fabric::SwitchGraph& graph, const HopMatrix& hops,
                                                      const Routes& routes, std::size_t most);

}  // namespace rch::engines::dfsssp
