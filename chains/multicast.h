#pragma once

#include <span>
#include <string>
#include <vector>

#include "chains/chain.h"
#include "verify/verify.h"

namespace rch::chains {

/// How the groups of a fabric got their ways.
struct MulticastReport {
  SwitchId root = SwitchId::none();  ///< of the tree that all groups share; none without groups
  std::size_t switches = 0;          ///< in that tree
  std::vector<std::string> remarks;
};

/// Gives `groups` (without ways) their ways in the tables of a run, and proves the whole.
///
/// All groups take branches of one tree over the fabric, so a port that joins later adds nothing to what is
/// proven. The tree is one of those that the first step's engine made, else grown from a switch in the
/// middle; in the switches of a later step it keeps to a tree of that step's engine, if it made any. Trees
/// are tried until one has no credit loop together with the paths; then such that are fitted in between the
/// paths. When none is found, or the paths have loops without any tree, the first is taken and the verdict
/// says so (docs/decisions/0008).
///
/// Trees rooted at `asked` are tried before any other, in this order; of an engine that makes its trees
/// itself only those that it made. A tree with another root is told of.
verify::Verdict lay_multicast(const fabric::Fabric& fabric, std::vector<fabric::MulticastGroup> groups,
                              const verify::Options& options, ChainRun& run, MulticastReport& report,
                              std::span<const SwitchId> asked = {});

}  // namespace rch::chains
