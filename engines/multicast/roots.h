#pragma once

#include <vector>

#include "engines/engine.h"
#include "fabric/fabric.h"

namespace rch::engines::multicast {

/// Up to `count` switches to root a tree at, best first: those that reach the most switches with a CA or
/// router, and of these the ones from which the farthest is nearest (routing-engines 11.3). Of switches that
/// are equally good the one with the lowest GUID comes first, and the others are spread over the rest, since
/// what troubles one root troubles those near it.
std::vector<SwitchId> roots(const fabric::Fabric& fabric, const HopMatrix& hops, std::size_t count);

}  // namespace rch::engines::multicast
