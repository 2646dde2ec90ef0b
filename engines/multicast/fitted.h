#pragma once

#include <optional>
#include <span>

#include "engines/common/acyclic_dependencies.h"
#include "engines/spanning_tree.h"
#include "fabric/fabric.h"

namespace rch::engines::multicast {

/// Packets on the lane of multicast that hold the cable a switch port sends on, and ask for the next.
struct Wait {
  PortId held, asked;
};

/// A tree from `root` that closes no circle together with what waits on a lane already, whichever of parallel
/// cables a group takes. Breadth first: a switch joins where its branch adds nothing that waits for itself,
/// so switches may be left out. What waits on the tree is added to `lane`.
SpanningTree fit(const common::Channels& channels, SwitchId root, common::AcyclicDependencies& lane);

/// The same in between paths that close no circle; nothing if a switch with hosts would be left out.
std::optional<SpanningTree> fit(const fabric::Fabric& fabric, SwitchId root, std::span<const Wait> paths);

}  // namespace rch::engines::multicast
