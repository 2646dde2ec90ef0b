#include "engines/multicast/acyclic_tree.h"

#include <algorithm>

#include "engines/multicast/grow_tree.h"

namespace rch::engines::multicast {
namespace {

using common::AcyclicCdg;
using common::ChannelId;
using common::Channels;

class AcyclicSearch {
 public:
  AcyclicSearch(const Channels& channels, AcyclicCdg& cdg)
      : channels_(channels), cdg_(cdg), joined_(channels.size()) {}

  SpanningTree from(SwitchId root) && {
    return grow_tree(channels_, root, [this](SwitchId sw, SwitchId next) { return join(sw, next); });
  }

 private:
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
};

}  // namespace

SpanningTree acyclic_tree(const Channels& channels, SwitchId root, AcyclicCdg& cdg) {
  return AcyclicSearch(channels, cdg).from(root);
}

SwitchId spanning_root(const Channels& channels, SwitchId root, std::span<const SwitchId> members,
                       const AcyclicCdg& cdg) {
  constexpr std::size_t kRoots = 8;
  const std::size_t switches = channels.switch_count();
  for (std::size_t i = 0; i < std::min(switches, kRoots); ++i) {
    const SwitchId tried = i == 0 ? root : SwitchId(static_cast<std::uint32_t>(i * (switches / kRoots)));
    AcyclicCdg with_tree = cdg;
    const SpanningTree tree = acyclic_tree(channels, tried, with_tree);
    const auto has = [&](SwitchId sw) { return sw == tried || !tree.parent[sw.index()].is_none(); };
    if (std::ranges::all_of(members, has)) return tried;
  }
  return SwitchId::none();
}

}  // namespace rch::engines::multicast
