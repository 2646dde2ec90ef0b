#pragma once

#include <cstdint>
#include <vector>

#include "engines/common/acyclic_dependencies.h"
#include "engines/spanning_tree.h"

namespace rch::engines::dfsssp {

/// The way out when nothing else fits: cables that join all switches without a circle of switches, with all
/// those parallel to them. A lane in which their dependencies are admitted before any other can carry routes
/// to every destination, and multicast.
class ReservedTree {
 public:
  /// As near to `root` as cables allow; of each other part of the fabric to its first switch.
  ReservedTree(const common::Channels& channels, SwitchId root);

  void reserve(common::AcyclicDependencies& lane) const;
  /// By switch, its channel towards a destination; ChannelId::none() of the destination and of switches that
  /// no cable joins to it.
  std::vector<common::ChannelId> ways_to(SwitchId destination) const;
  /// The part that the root is in.
  const SpanningTree& tree() const { return tree_; }

 private:
  const common::Channels& channels_;
  SpanningTree tree_;
  std::vector<std::uint8_t> member_;  ///< by channel; of both directions
};

}  // namespace rch::engines::dfsssp
