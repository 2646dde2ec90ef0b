#pragma once

#include <optional>
#include <span>
#include <utility>

#include "engines/common/acyclic_cdg.h"
#include "engines/spanning_tree.h"

namespace rch::engines::multicast {

/// Two switches that a tree joins.
using Branch = std::pair<SwitchId, SwitchId>;

/// A tree of those of `branches` that still have a link, from the first of `members`; joined by others where
/// it does not reach all members. It keeps `cdg` acyclic, whichever of parallel links a group uses, and its
/// dependencies are added. Other switches may be left out. Nothing if there is no such tree, or no member.
std::optional<SpanningTree> rejoined_tree(const common::Channels& channels, std::span<const Branch> branches,
                                          std::span<const SwitchId> members, common::AcyclicCdg& cdg);

}  // namespace rch::engines::multicast
