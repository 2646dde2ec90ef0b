#pragma once

#include <cstdint>
#include <deque>
#include <span>

#include "engines/common/acyclic_cdg.h"
#include "engines/dfsssp/routes.h"
#include "engines/spanning_tree.h"

namespace rch::engines::dfsssp {

/// Virtual layers whose CDGs must stay acyclic.
struct LayersInUse {
  std::size_t count = 1;
  std::span<const std::uint8_t> layer_of;   ///< by destination switch; empty: by pair
  std::span<const SpanningTree> multicast;  ///< on layer 0
  std::span<const std::uint8_t> of_pair{};  ///< by source switch, then destination
};

/// Calls f(channel, next channel) for the dependencies of a multicast tree, on whichever of parallel links.
template <class F>
void for_each_tree_dependency(const SpanningTree& tree, const common::Channels& channels, F&& f) {
  const auto has = [&](common::ChannelId c) {
    const SwitchId from = channels.from(c), to = channels.to(c);
    return tree.parent[from.index()] == to || tree.parent[to.index()] == from;
  };
  for (std::uint32_t i = 0; i < channels.size(); ++i) {
    const common::ChannelId c(i);
    if (!has(c)) continue;
    channels.for_each_leaving(channels.to(c), [&](common::ChannelId next) {
      if (has(next) && channels.to(next) != channels.from(c)) f(c, next);
    });
  }
}

/// The CDGs of the layers in use, while single switches come to send by other channels.
class LayerCdgs {
 public:
  /// Both must outlive the object.
  LayerCdgs(const LayersInUse& layers, const Routes& routes);

  /// The switch that `first` leaves is to send by it. Adds the dependencies of all packets that would use it,
  /// down to the destination of the tree; false if that closes a cycle, and then none is added.
  /// `is_passed(sw)`: packets of the tree pass the switch.
  template <class IsPassed>
  bool try_move(std::size_t tree, common::ChannelId first, IsPassed&& is_passed) {
    if (!layers_.of_pair.empty()) return try_move_pairs(tree, first);
    const common::Channels& channels = routes_.channels();
    const SwitchId sw = channels.from(first);
    return cdgs_[layer_of(tree)].try_add_all([&](auto&& add) {
      channels.for_each_leaving(sw, [&](common::ChannelId leaving) {
        const SwitchId before = channels.to(leaving);
        if (is_passed(before) && routes_.next(tree, before) == channels.back(leaving))
          add(channels.back(leaving), first);
      });
      add_path_behind(tree, first, add);
    });
  }

 private:
  /// Dependencies of packets on the channel, down to the destination of the tree.
  template <class Add>
  void add_path_behind(std::size_t tree, common::ChannelId c, Add&& add) const {
    const common::Channels& channels = routes_.channels();
    for (SwitchId at = channels.to(c); at != routes_.tree(tree).to; at = channels.to(c)) {
      const common::ChannelId after = routes_.next(tree, at);
      add(c, after);
      c = after;
    }
  }
  bool try_move_pairs(std::size_t tree, common::ChannelId first);

  std::size_t layer_of(std::size_t tree) const {
    return layers_.layer_of.empty() ? 0 : layers_.layer_of[routes_.tree(tree).to.index()];
  }

  const LayersInUse& layers_;
  const Routes& routes_;
  std::deque<common::AcyclicCdg> cdgs_;
};

}  // namespace rch::engines::dfsssp
