#include "engines/dfsssp/escape_tree.h"

#include <utility>

namespace rch::engines::dfsssp {

EscapeTree::EscapeTree(const common::Channels& channels, SwitchId root)
    : channels_(channels), member_(channels.size()) {
  tree_.parent.resize(channels.switch_count(), SwitchId::none());
  std::vector<std::uint8_t> seen(channels.switch_count());
  std::vector<SwitchId> reached;
  const auto join_from = [&](SwitchId start) {
    if (std::exchange(seen[start.index()], std::uint8_t{1}) != 0) return;
    reached.assign(1, start);
    for (std::size_t i = 0; i < reached.size(); ++i)
      channels.for_each_leaving(reached[i], [&](common::ChannelId c) {
        const SwitchId next = channels.to(c);
        SwitchId& parent = tree_.parent[next.index()];
        if (std::exchange(seen[next.index()], std::uint8_t{1}) == 0) {
          parent = reached[i];
          reached.push_back(next);
        }
        if (parent == reached[i]) member_[c.index()] = member_[channels.back(c).index()] = 1;
      });
  };
  join_from(root);
  tree_.order = reached;
  for (std::uint32_t s = 0; s < seen.size(); ++s) join_from(SwitchId(s));
}

std::vector<common::ChannelId> EscapeTree::paths_to(SwitchId destination) const {
  std::vector<common::ChannelId> paths(channels_.switch_count(), common::ChannelId::none());
  std::vector<SwitchId> reached{destination};
  for (std::size_t i = 0; i < reached.size(); ++i)
    channels_.for_each_leaving(reached[i], [&](common::ChannelId c) {
      const SwitchId sw = channels_.to(c);
      if (member_[c.index()] == 0 || sw == destination || !paths[sw.index()].is_none()) return;
      paths[sw.index()] = channels_.back(c);
      reached.push_back(sw);
    });
  return paths;
}

}  // namespace rch::engines::dfsssp
