#pragma once

#include <span>

#include "engines/common/acyclic_cdg.h"
#include "engines/spanning_tree.h"

namespace rch::engines::multicast {

/// A breadth-first tree from `root` that keeps `cdg` acyclic, whichever of parallel links a group uses. A
/// switch joins where its branch closes no cycle, so switches may be left out. Adds the dependencies of the
/// tree to `cdg`.
SpanningTree acyclic_tree(const common::Channels& channels, SwitchId root, common::AcyclicCdg& cdg);

/// A root from which acyclic_tree() reaches all members: `root`, or one of a few others. none() if there is
/// none among them.
SwitchId spanning_root(const common::Channels& channels, SwitchId root, std::span<const SwitchId> members,
                       const common::AcyclicCdg& cdg);

}  // namespace rch::engines::multicast
