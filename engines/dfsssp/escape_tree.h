#pragma once

#include <cstdint>
#include <vector>

#include "engines/common/acyclic_cdg.h"
#include "engines/spanning_tree.h"

namespace rch::engines::dfsssp {

/// Escape paths (Duato; Nue): a spanning tree with all links parallel to it. Its CDG is acyclic. A virtual
/// layer that reserves it can carry routes to every destination, and multicast.
class EscapeTree {
 public:
  /// Breadth first from `root`; from the first switch of each other connected component. Keeps a reference.
  EscapeTree(const common::Channels& channels, SwitchId root);

  /// Calls f(channel, next channel) for each dependency of packets along the tree.
  template <class F>
  void for_each_dependency(F&& f) const {
    for (std::uint32_t i = 0; i < member_.size(); ++i) {
      const common::ChannelId c(i);
      if (member_[i] == 0) continue;
      channels_.for_each_leaving(channels_.to(c), [&](common::ChannelId next) {
        if (member_[next.index()] != 0 && channels_.to(next) != channels_.from(c)) f(c, next);
      });
    }
  }
  void reserve(common::AcyclicCdg& layer) const {
    for_each_dependency([&](common::ChannelId c, common::ChannelId next) { layer.try_add(c, next); });
  }
  /// By switch, its channel towards a destination; none() for the destination and for switches of other
  /// components.
  std::vector<common::ChannelId> paths_to(SwitchId destination) const;
  /// The component of the root.
  const SpanningTree& tree() const { return tree_; }

 private:
  const common::Channels& channels_;
  SpanningTree tree_;
  std::vector<std::uint8_t> member_;  ///< by channel; of both directions
};

}  // namespace rch::engines::dfsssp
