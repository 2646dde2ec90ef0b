#include "engines/multicast/acyclic_tree.h"

namespace rch::engines::multicast {
namespace {

using common::AcyclicCdg;
using common::ChannelId;
using common::Channels;

class AcyclicSearch {
 public:
  AcyclicSearch(const Channels& channels, AcyclicCdg& cdg)
      : channels_(channels), cdg_(cdg), joined_(channels.size()), in_tree_(channels.switch_count()) {
    tree_.parent.resize(channels.switch_count(), SwitchId::none());
  }

  SpanningTree from(SwitchId root) && {
    add(root, SwitchId::none());
    for (std::size_t at = 0; at < tree_.order.size(); ++at) {
      const SwitchId sw = tree_.order[at];
      channels_.for_each_leaving(sw, [&](ChannelId c) {
        if (!in_tree_[channels_.to(c).index()] && join(sw, channels_.to(c))) add(channels_.to(c), sw);
      });
    }
    return std::move(tree_);
  }

 private:
  void add(SwitchId sw, SwitchId parent) {
    in_tree_[sw.index()] = true;
    tree_.parent[sw.index()] = parent;
    tree_.order.push_back(sw);
  }

  /// Joins a new switch to one of the tree by all links between them, unless that closes a cycle.
  bool join(SwitchId sw, SwitchId next) {
    const bool fits = cdg_.try_add_all([&](auto&& add_dependency) {
      channels_.for_each_leaving(sw, [&](ChannelId branch) {
        if (joined_[branch.index()] == 0) return;
        channels_.for_each_leaving(sw, [&](ChannelId out) {
          if (channels_.to(out) != next) return;
          add_dependency(channels_.back(branch), out);
          add_dependency(channels_.back(out), branch);
        });
      });
    });
    if (!fits) return false;
    channels_.for_each_leaving(sw, [&](ChannelId out) {
      if (channels_.to(out) == next) joined_[out.index()] = joined_[channels_.back(out).index()] = 1;
    });
    return true;
  }

  const Channels& channels_;
  AcyclicCdg& cdg_;
  std::vector<std::uint8_t> joined_;  ///< by channel: of a branch
  std::vector<bool> in_tree_;         ///< by switch
  SpanningTree tree_;
};

}  // namespace

SpanningTree acyclic_tree(const Channels& channels, SwitchId root, AcyclicCdg& cdg) {
  return AcyclicSearch(channels, cdg).from(root);
}

}  // namespace rch::engines::multicast
