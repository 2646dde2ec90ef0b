#pragma once

#include <optional>
#include <span>
#include <utility>

#include "engines/common/acyclic_cdg.h"
#include "engines/spanning_tree.h"

namespace rch::engines::multicast {

/// Two switches that a tree joins.
using Branch = std::pair<SwitchId, SwitchId>;

/// A tree of those of `branches` that still have a link, joined by others. It keeps `cdg` acyclic, whichever
/// of parallel links a group uses, and its dependencies are added. All connected switches are in a tree; that
/// of `root` is returned. Nothing if there is no such tree.
std::optional<SpanningTree> rejoined_tree(const common::Channels& channels, std::span<const Branch> branches,
                                          SwitchId root, common::AcyclicCdg& cdg);

}  // namespace rch::engines::multicast
