#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chains/chain.h"
#include "verify/verify.h"

namespace rch::chains {

/// How multicast groups were routed.
struct MulticastReport {
  SwitchId root = SwitchId::none();  ///< of the tree that all groups share; none without groups
  std::size_t switches = 0;          ///< in that tree
  std::vector<Lid> waiting;          ///< groups that are not routed, ascending
  std::vector<std::string> remarks;
};

/// Routes `groups` (without ports) in the tables of a run, and proves paths and groups together.
///
/// All groups use branches of one spanning tree, so a port that joins later adds nothing to the proof. The
/// tree is one that the first step's engine made, else a breadth-first tree from a central switch. In the
/// switches of a later step it contains a tree of that step's engine, if there is one. Trees are tried until
/// one has no credit loop together with the paths; then trees that leave islands by any link; then a tree is
/// searched for among all trees. If none serves all groups, those of some service levels get one if they can.
/// The others wait, and the verdict has the finding multicast_unrouted, which forbids nothing. If the paths
/// alone have a loop, the first tree is used (docs/decisions/0008). Of a split fabric each part has a tree.
///
/// Trees with the roots `requested` are tried first, in this order. Where the engine makes trees, only its
/// own are tried. A remark says when the tree has another root.
verify::Verdict route_multicast(const fabric::Fabric& fabric, std::vector<fabric::MulticastGroup> groups,
                                const verify::Options& options, ChainRun& run, MulticastReport& report,
                                std::span<const SwitchId> requested = {});

/// Which groups wait and why, as the finding multicast_unrouted says it; empty if none waits.
std::string_view why_groups_wait(const verify::Verdict& verdict);

}  // namespace rch::chains
