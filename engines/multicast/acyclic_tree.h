#pragma once

#include "engines/common/acyclic_cdg.h"
#include "engines/spanning_tree.h"

namespace rch::engines::multicast {

/// A breadth-first tree from `root` that keeps `cdg` acyclic, whichever of parallel links a group uses. A
/// switch joins where its branch closes no cycle, so switches may be left out. Adds the dependencies of the
/// tree to `cdg`.
SpanningTree acyclic_tree(const common::Channels& channels, SwitchId root, common::AcyclicCdg& cdg);

}  // namespace rch::engines::multicast
