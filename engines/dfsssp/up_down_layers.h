#pragma once

#include "engines/common/port_selection/port_context.h"
#include "engines/dfsssp/kept_layers.h"

namespace rch::engines::dfsssp {

/// Lets every pair of switches keep its layer: all paths of `routes` become up-down paths from one root,
/// which are free of credit loops on whatever layers they are. Many are not minimal. Pairs without a layer
/// get layer 0.
VirtualLayers up_down_layers(const common::PortContext& context, const HopMatrix& hops,
                             const InstalledLayers& installed, Routes& routes);

}  // namespace rch::engines::dfsssp
