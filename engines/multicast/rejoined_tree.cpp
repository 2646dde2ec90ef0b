#include "engines/multicast/rejoined_tree.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace rch::engines::multicast {
namespace {

using common::ChannelId;

class Rejoining {
 public:
  Rejoining(const common::Channels& channels, common::AcyclicCdg& cdg)
      : channels_(channels), cdg_(cdg), joined_(channels.size()), part_(channels.switch_count()) {
    std::iota(part_.begin(), part_.end(), 0U);
  }

  /// Joins the trees of two switches by all links between them, unless that closes a cycle.
  void join(SwitchId a, SwitchId b) {
    if (part_of(a) == part_of(b)) return;
    const bool fits = cdg_.try_add_all([&](auto&& add) {
      add_turns(a, b, add);
      add_turns(b, a, add);
    });
    if (!fits) return;
    channels_.for_each_leaving(a, [&](ChannelId c) {
      if (channels_.to(c) == b) joined_[c.index()] = joined_[channels_.back(c).index()] = true;
    });
    part_[part_of(a)] = part_of(b);
  }

  void join_all() {
    for (std::uint32_t c = 0; c < channels_.size(); ++c)
      join(channels_.from(ChannelId(c)), channels_.to(ChannelId(c)));
  }

  bool reaches(std::span<const SwitchId> members) {
    return std::ranges::all_of(members, [&](SwitchId sw) { return part_of(sw) == part_of(members.front()); });
  }

  SpanningTree from(SwitchId root) const {
    SpanningTree tree{{root}, std::vector<SwitchId>(channels_.switch_count(), SwitchId::none())};
    for (std::size_t at = 0; at < tree.order.size(); ++at) {
      const SwitchId sw = tree.order[at];
      channels_.for_each_leaving(sw, [&](ChannelId c) {
        const SwitchId next = channels_.to(c);
        if (!joined_[c.index()] || next == root || !tree.parent[next.index()].is_none()) return;
        tree.parent[next.index()] = sw;
        tree.order.push_back(next);
      });
    }
    return tree;
  }

 private:
  std::uint32_t part_of(SwitchId sw) { return root_of(part_, sw.value); }
  static std::uint32_t root_of(std::vector<std::uint32_t>& parts, std::uint32_t at) {
    while (parts[at] != at) at = parts[at] = parts[parts[at]];
    return at;
  }

  /// Turns at `sw` between its links to `next` and its branches.
  template <class Add>
  void add_turns(SwitchId sw, SwitchId next, Add&& add) const {
    channels_.for_each_leaving(sw, [&](ChannelId out) {
      if (channels_.to(out) != next) return;
      channels_.for_each_leaving(sw, [&](ChannelId branch) {
        if (!joined_[branch.index()]) return;
        add(channels_.back(branch), out);
        add(channels_.back(out), branch);
      });
    });
  }

  const common::Channels& channels_;
  common::AcyclicCdg& cdg_;
  std::vector<bool> joined_;         ///< by channel: of a branch
  std::vector<std::uint32_t> part_;  ///< by switch, another one of the same tree; union-find
};

}  // namespace

std::optional<SpanningTree> rejoined_tree(const common::Channels& channels, std::span<const Branch> branches,
                                          std::span<const SwitchId> members, common::AcyclicCdg& cdg) {
  const auto linked = [&](const Branch& branch) {
    bool any = false;
    channels.for_each_leaving(branch.first,
                              [&](ChannelId c) { any = any || channels.to(c) == branch.second; });
    return any;
  };
  if (members.empty()) return std::nullopt;
  Rejoining trees(channels, cdg);
  for (const Branch& branch : branches)
    if (linked(branch)) trees.join(branch.first, branch.second);
  if (!trees.reaches(members)) trees.join_all();
  if (!trees.reaches(members)) return std::nullopt;
  return trees.from(members.front());
}

}  // namespace rch::engines::multicast
