#pragma once

#include <vector>

#include "engines/engine.h"
#include "fabric/fabric.h"

namespace rch::engines::multicast {

/// Up to `count` switches to root a tree at, best first. They reach the most switches with a CA or router; of
/// these, the hops to the farthest are fewest (OpenSM's osm_mcast_mgr.c). Of equals the one with the lowest
/// GUID comes first. The others are taken at equal intervals, since roots near each other fail alike.
std::vector<SwitchId> roots(const fabric::Fabric& fabric, const HopMatrix& hops, std::size_t count);

}  // namespace rch::engines::multicast
