#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engines/common/channels.h"
#include "engines/common/dependency_graph.h"
#include "engines/engine.h"

namespace rch::engines::dfsssp {

/// Destination trees: for every LID, the channel by which each switch sends to it. Each LID of a host has its
/// own tree. The LIDs of a switch share the trees of its hosts; without hosts they have their own. The trees
/// to one switch are consecutive.
class Routes {
 public:
  static constexpr std::uint8_t kNoOutput = 255;

  /// What is known of a tree before it is routed.
  struct Tree {
    SwitchId to;
    PortId host = PortId::none();  ///< none: leads to a switch without hosts
    Lid lid = kUnassignedLid;      ///< that it is routed for
  };

  /// A LID on a switch.
  struct Delivery {
    Lid lid;
    std::uint8_t port;   ///< of that switch
    std::uint32_t tree;  ///< by which the others send to it
  };

  /// No tree is routed yet. Keeps references to both.
  Routes(const fabric::SubFabric& view, const common::Channels& channels);

  const fabric::SubFabric& view() const { return *view_; }
  const common::Channels& channels() const { return *channels_; }
  std::span<const SwitchId> sources() const { return sources_; }
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

  /// From here on no switch sends, and each may be given a channel.
  void clear() { outputs_.assign(trees_.size() * channels_->switch_count(), kNoOutput); }
  /// By switch, the number of its channel among those that leave it; kNoOutput: none.
  std::span<std::uint8_t> outputs(std::size_t tree) {
    return std::span(outputs_).subspan(tree * channels_->switch_count(), channels_->switch_count());
  }
  std::span<const std::uint8_t> outputs(std::size_t tree) const {
    return std::span(outputs_).subspan(tree * channels_->switch_count(), channels_->switch_count());
  }
  bool sends(std::size_t tree, SwitchId sw) const { return outputs(tree)[sw.index()] != kNoOutput; }
  /// Channel by which the switch sends; it must have one.
  common::ChannelId next(std::size_t tree, SwitchId sw) const {
    return common::ChannelId(channels_->first(sw).value + outputs(tree)[sw.index()]);
  }
  /// Lets the switch that the channel leaves send by it.
  void set_next(std::size_t tree, common::ChannelId c) {
    const SwitchId sw = channels_->from(c);
    outputs(tree)[sw.index()] = output(sw, c);
  }

  /// Calls f(channel, next channel) once for each pair that packets from hosts use in a row, also on paths
  /// that break off. `seen` is scratch space.
  template <class F>
  void for_each_dependency(std::size_t tree, std::vector<std::uint8_t>& seen, F&& f) const {
    for_each_dependency(tree, outputs(tree), seen, f);
  }
  /// The same for a tree with other outputs.
  template <class F>
  void for_each_dependency(std::size_t tree, std::span<const std::uint8_t> outputs,
                           std::vector<std::uint8_t>& seen, F&& f) const;

  /// The outputs by which tables that send by channels lead to one LID. Kept entries of a switch's LID may
  /// differ from the tree that it shares.
  void read_entries(const fabric::ForwardingTables& tables, const Delivery& to,
                    std::vector<std::uint8_t>& outputs) const;
  /// Those of all trees.
  void read(const fabric::ForwardingTables& tables);
  fabric::ForwardingTables tables() const;
  /// Writes the entries of the trees that differ into tables.
  void update(fabric::ForwardingTables& tables) const;

 private:
  std::uint8_t output(SwitchId sw, common::ChannelId c) const {
    return static_cast<std::uint8_t>(c.is_none() ? kNoOutput : c.value - channels_->first(sw).value);
  }
  void read_row(SwitchId sw, std::span<const std::uint8_t> table);
  void fill(fabric::ForwardingTables& tables, std::size_t first_row, const Delivery& delivery) const;

  const fabric::SubFabric* view_;
  const common::Channels* channels_;
  std::vector<Tree> trees_;
  std::vector<std::uint32_t> first_tree_;      ///< by switch, and one past the last
  std::vector<SwitchId> sources_;              ///< switches with hosts
  std::vector<Delivery> deliveries_;           ///< by switch
  std::vector<std::uint32_t> first_delivery_;  ///< by switch, and one past the last
  std::vector<std::uint8_t> outputs_;          ///< by tree, then switch
};

/// The CDG of all trees on one VL, as a topological order.
common::TopologicalOrder topological_order(const Routes& routes);

template <class F>
void Routes::for_each_dependency(std::size_t tree, std::span<const std::uint8_t> outputs,
                                 std::vector<std::uint8_t>& seen, F&& f) const {
  const SwitchId to = trees_[tree].to;
  const auto next = [&](SwitchId sw) {
    return common::ChannelId(channels_->first(sw).value + outputs[sw.index()]);
  };
  seen.assign(outputs.size(), 0);
  seen[to.index()] = 1;
  for (SwitchId source : sources_) {
    SwitchId at = source;
    if (seen[at.index()] != 0 || outputs[at.index()] == kNoOutput) continue;
    for (common::ChannelId c = next(at);;) {
      const bool joins = seen[at.index()] != 0;
      seen[at.index()] = 1;
      at = channels_->to(c);
      if (joins || at == to || outputs[at.index()] == kNoOutput) break;
      const common::ChannelId after = next(at);
      f(c, after);
      c = after;
    }
  }
}

}  // namespace rch::engines::dfsssp
