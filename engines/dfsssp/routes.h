#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "engines/common/channels.h"
#include "engines/engine.h"

namespace rch::engines::dfsssp {

/// Routes to every LID, tree by tree: the channel by which each switch sends to a destination. Every LID of a
/// host has a tree of its own; the LIDs of a switch share those of its hosts, or have their own if it has
/// none. The trees that lead to one switch follow each other.
class Routes {
 public:
  static constexpr std::uint8_t kNoChannel = 255;

  /// What is known of a tree before it is routed.
  struct Tree {
    SwitchId to;
    PortId host = PortId::none();  ///< none: leads to a switch without hosts
    Lid lid = kUnassignedLid;      ///< that it is laid for
  };

  /// A LID on a switch.
  struct Delivery {
    Lid lid;
    std::uint8_t port;   ///< of that switch
    std::uint32_t tree;  ///< by which the others send to it
  };

  /// No tree has places yet. Keeps references to both.
  Routes(const fabric::SubFabric& view, const common::Channels& channels);

  const fabric::SubFabric& view() const { return *view_; }
  const common::Channels& channels() const { return *channels_; }
  std::size_t tree_count() const { return trees_.size(); }
  const Tree& tree(std::size_t t) const { return trees_[t]; }
  /// Trees to a switch: first and one past the last.
  std::pair<std::uint32_t, std::uint32_t> trees_to(SwitchId sw) const {
    return {first_tree_[sw.index()], first_tree_[sw.index() + 1]};
  }
  std::span<const Delivery> deliveries(SwitchId to) const {
    const std::uint32_t first = first_delivery_[to.index()];
    return std::span(deliveries_).subspan(first, first_delivery_[to.index() + 1] - first);
  }
  /// Fills a row: `ports` has one for every tree, and kNoPath behind them.
  void expand(SwitchId sw, std::span<const std::uint8_t> ports, std::span<std::uint8_t> row) const;

  /// By switch, the place of the channel among those that leave it; kNoChannel: none.
  std::span<std::uint8_t> places(std::size_t tree) {
    return std::span(places_).subspan(tree * channels_->switch_count(), channels_->switch_count());
  }
  std::span<const std::uint8_t> places(std::size_t tree) const {
    return std::span(places_).subspan(tree * channels_->switch_count(), channels_->switch_count());
  }
  /// Channel by which the switch sends; it must have one.
  common::ChannelId next(std::size_t tree, SwitchId sw) const {
    return common::ChannelId(channels_->first(sw).value +
                             places_[tree * channels_->switch_count() + sw.index()]);
  }

  /// Calls f(channel, next channel) for each that packets from hosts take one after the other, once each.
  /// `seen` is scratch space.
  template <class F>
  void for_each_dependency(std::size_t tree, std::vector<std::uint8_t>& seen, F&& f) const {
    for_each_dependency(tree, places(tree), seen, f);
  }
  /// The same of a tree with other places.
  template <class F>
  void for_each_dependency(std::size_t tree, std::span<const std::uint8_t> places,
                           std::vector<std::uint8_t>& seen, F&& f) const;

  /// The places of one tree by tables that send along channels.
  void read_tree(const fabric::ForwardingTables& tables, std::size_t tree,
                 std::vector<std::uint8_t>& places) const;
  /// Those of all trees.
  void read(const fabric::ForwardingTables& tables);
  fabric::ForwardingTables tables() const;

 private:
  void read_row(SwitchId sw, std::span<const std::uint8_t> row);
  void fill(fabric::ForwardingTables& tables, std::size_t first_row, const Delivery& delivery) const;

  const fabric::SubFabric* view_;
  const common::Channels* channels_;
  std::vector<Tree> trees_;
  std::vector<std::uint32_t> first_tree_;      ///< by switch, and one past the last
  std::vector<SwitchId> sources_;              ///< switches with hosts
  std::vector<Delivery> deliveries_;           ///< by switch
  std::vector<std::uint32_t> first_delivery_;  ///< by switch, and one past the last
  std::vector<std::uint16_t> tree_of_;         ///< by LID; tree_count(): none leads there
  std::vector<std::uint8_t> places_;
};

template <class F>
void Routes::for_each_dependency(std::size_t tree, std::span<const std::uint8_t> places,
                                 std::vector<std::uint8_t>& seen, F&& f) const {
  const SwitchId to = trees_[tree].to;
  const auto next = [&](SwitchId sw) {
    return common::ChannelId(channels_->first(sw).value + places[sw.index()]);
  };
  seen.assign(places.size(), 0);
  seen[to.index()] = 1;
  for (SwitchId source : sources_) {
    SwitchId at = source;
    if (seen[at.index()] != 0 || places[at.index()] == kNoChannel) continue;
    for (common::ChannelId c = next(at);;) {
      const bool joins = seen[at.index()] != 0;
      seen[at.index()] = 1;
      at = channels_->to(c);
      if (joins || at == to) break;
      const common::ChannelId after = next(at);
      f(c, after);
      c = after;
    }
  }
}

}  // namespace rch::engines::dfsssp
