#pragma once

#include <optional>
#include <span>

#include "engines/common/acyclic_cdg.h"
#include "engines/spanning_tree.h"
#include "fabric/fabric.h"

namespace rch::engines::multicast {

/// A channel dependency on the VL of multicast: packets hold the link that a switch port sends on, and
/// request the link of the next port.
struct PortDependency {
  PortId from, to;
};

/// A breadth-first tree from `root` that keeps `cdg` acyclic, whichever of parallel links a group uses. A
/// switch joins where its branch closes no cycle, so switches may be left out. Adds the dependencies of the
/// tree to `cdg`.
SpanningTree acyclic_tree(const common::Channels& channels, SwitchId root, common::AcyclicCdg& cdg);

/// The same beside paths whose CDG is acyclic; nothing if a switch with hosts is left out.
std::optional<SpanningTree> acyclic_tree(const fabric::Fabric& fabric, SwitchId root,
                                         std::span<const PortDependency> paths);

}  // namespace rch::engines::multicast
