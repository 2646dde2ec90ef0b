#pragma once

#include <vector>

#include "engines/common/channels.h"
#include "engines/spanning_tree.h"

namespace rch::engines::multicast {

/// A breadth-first tree from `root` over the channels. `joins(sw, next)`: whether `next`, which is not in the
/// tree, joins it by a branch from `sw`, which is. Switches may be left out.
template <class Joins>
SpanningTree grow_tree(const common::Channels& channels, SwitchId root, const Joins& joins) {
  SpanningTree tree;
  tree.parent.resize(channels.switch_count(), SwitchId::none());
  tree.order.push_back(root);
  std::vector<bool> in_tree(channels.switch_count());
  in_tree[root.index()] = true;
  for (std::size_t at = 0; at < tree.order.size(); ++at) {
    const SwitchId sw = tree.order[at];
    channels.for_each_leaving(sw, [&](common::ChannelId c) {
      const SwitchId next = channels.to(c);
      if (in_tree[next.index()] || !joins(sw, next)) return;
      in_tree[next.index()] = true;
      tree.parent[next.index()] = sw;
      tree.order.push_back(next);
    });
  }
  return tree;
}

}  // namespace rch::engines::multicast
