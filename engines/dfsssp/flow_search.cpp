#include "engines/dfsssp/flow_search.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engines/dfsssp/channel_loads.h"

namespace rch::engines::dfsssp {
namespace {

using common::ChannelId;

/// Trees times switches: a k=32 fat tree has ten millions.
constexpr std::size_t kMostEntries = 12'000'000;

class FlowSearch {
 public:
  FlowSearch(const LayersInUse* layers, Routes& routes, const Before& before, bool for_shifts)
      : layers_(layers),
        for_shifts_(for_shifts),
        enough_(before.enough),
        channels_(routes.channels()),
        routes_(routes),
        hosts_(host_counts(routes.view())),
        loads_(count_loads(routes)),
        siblings_(channels_.size()) {
    list_trees(before.routes);
  }

  void run() {
    for (std::size_t round = 0; round < kMostRounds && !is_even(); ++round) {
      if (layers_ != nullptr) cdgs_.emplace(*layers_, routes_);
      if (!improve()) return;
    }
  }

 private:
  static constexpr std::size_t kMostRounds = 3;

  bool is_even() const {
    Evenness evenness;
    for (std::uint32_t s = 0; s < channels_.switch_count(); ++s) {
      const SwitchId sw(s);
      evenness.add(std::span(loads_).subspan(channels_.first(sw).index(), channels_.degree(sw)));
    }
    return evenness.is_even();
  }

  /// Trees with other entries than before come first: a further change of such an entry costs no write.
  void list_trees(const Routes* before) {
    for (std::uint32_t tree = 0; tree < routes_.tree_count(); ++tree)
      if (!routes_.tree(tree).host.is_none()) trees_.push_back(tree);
    if (before != nullptr)
      std::stable_partition(trees_.begin(), trees_.end(), [&](std::uint32_t tree) {
        return !std::ranges::equal(std::as_const(routes_).outputs(tree), before->outputs(tree));
      });
  }

  bool improve() {
    bool better = false;
    for (const std::uint32_t tree : trees_) {
      if (!uses_full_channel(tree)) continue;
      select_tree(tree);
      for (std::size_t hops = by_hops_.size() - 1; hops > 0; --hops)
        for (const SwitchId sw : by_hops_[hops]) better = improve_at(sw) || better;
    }
    return better;
  }

  bool uses_full_channel(std::uint32_t tree) const {
    if (enough_ == 0) return true;
    const std::span<const std::uint8_t> outputs = std::as_const(routes_).outputs(tree);
    for (std::uint32_t s = 0; s < outputs.size(); ++s)
      if (outputs[s] != Routes::kNoOutput &&
          loads_[channels_.first(SwitchId(s)).index() + outputs[s]] > enough_)
        return true;
    return false;
  }

  /// Counts the paths that pass each switch.
  void select_tree(std::size_t tree) {
    tree_ = tree;
    if (to_ != routes_.tree(tree).to) count_siblings(routes_.tree(tree).to);
    to_ = routes_.tree(tree).to;
    hops_.assign(channels_.switch_count(), kNoPath);
    hops_[to_.index()] = 0;
    by_hops_.assign(1, {to_});
    for (std::uint32_t s = 0; s < hops_.size(); ++s) count_hops(SwitchId(s));
    flow_ = hosts_;
    for (std::size_t hops = by_hops_.size() - 1; hops > 0; --hops)
      for (const SwitchId sw : by_hops_[hops]) flow_[next(sw).index()] += flow_[sw.index()];
  }

  /// Counts the trees to hosts of one switch that send by each channel.
  void count_siblings(SwitchId to) {
    siblings_.assign(channels_.size(), 0);
    const auto [begin, end] = routes_.trees_to(to);
    for (std::uint32_t tree = begin; tree < end; ++tree)
      for (std::uint32_t s = 0; s < channels_.switch_count(); ++s)
        if (!routes_.tree(tree).host.is_none() && routes_.sends(tree, SwitchId(s)))
          ++siblings_[routes_.next(tree, SwitchId(s)).index()];
  }

  void count_hops(SwitchId sw) {
    path_.clear();
    for (; hops_[sw.index()] == kNoPath && routes_.sends(tree_, sw); sw = next(sw)) path_.push_back(sw);
    std::uint32_t hops = hops_[sw.index()];
    if (hops == kNoPath) return;
    for (; !path_.empty(); path_.pop_back()) {
      hops_[path_.back().index()] = ++hops;
      if (hops == by_hops_.size()) by_hops_.emplace_back();
      by_hops_[hops].push_back(path_.back());
    }
  }

  /// Lets the switch send by the channel that lowers the cost most, if any does.
  bool improve_at(SwitchId sw) {
    const auto flow = static_cast<double>(flow_[sw.index()]);
    if (flow_[sw.index()] == 0) return false;
    const ChannelId used = routes_.next(tree_, sw);
    if (!has_more_than_enough(sw)) return false;
    better_.clear();
    channels_.for_each_leaving(sw, [&](ChannelId c) {
      if (c == used || hops_[channels_.to(c).index()] + 1 != hops_[sw.index()]) return;
      const double change = cost_change(used, c, flow);
      if (change < -1) better_.emplace_back(change, c);  // of less than one flow no gain is real
    });
    std::ranges::stable_sort(better_, {}, [](const auto& candidate) { return candidate.first; });
    const auto best =
        std::ranges::find_if(better_, [&](const auto& candidate) { return fits(candidate.second); });
    if (best == better_.end()) return false;
    move(used, best->second, flow_[sw.index()]);
    return true;
  }

  /// Some channel of the path from a switch carries more than enough.
  bool has_more_than_enough(SwitchId sw) const {
    for (SwitchId at = sw; at != to_; at = next(at))
      if (loads_[routes_.next(tree_, at).index()] > enough_) return true;
    return false;
  }

  bool fits(ChannelId c) {
    return !cdgs_ ||
           cdgs_->try_move(tree_, c, [&](SwitchId at) { return flow_[at.index()] > 0 && at != to_; });
  }

  /// Calls f(channel that is left, channel taken instead) up to where the paths join.
  template <class F>
  void for_each_pair(ChannelId used, ChannelId other, F&& f) const {
    while (true) {
      f(used, other);
      const SwitchId a = channels_.to(used), b = channels_.to(other);
      if (a == b) return;
      used = routes_.next(tree_, a);
      other = routes_.next(tree_, b);
    }
  }

  double cost_change(ChannelId used, ChannelId other, double flow) const {
    double change = 0, shared = 0;
    bool relieves = false;
    for_each_pair(used, other, [&](ChannelId c, ChannelId d) {
      relieves = relieves || loads_[c.index()] > enough_;
      const auto from = static_cast<double>(loads_[c.index()]), to = static_cast<double>(loads_[d.index()]);
      change += cost(from - flow) - cost(from) + cost(to + flow) - cost(to);
      shared += (other_siblings(d) - other_siblings(c)) * flow * from * from * from;
    });
    if (!relieves) return 0;
    return for_shifts_ && change < 0 ? change + shared : change;
  }
  /// Other trees to hosts of the same switch that send by the channel.
  double other_siblings(ChannelId c) const {
    const bool is_own = routes_.next(tree_, channels_.from(c)) == c;
    return static_cast<double>(siblings_[c.index()]) - (is_own ? 1 : 0);
  }
  static double cost(double load) { return load * load * load * load; }

  void move(ChannelId used, ChannelId other, std::uint64_t flow) {
    for_each_pair(used, other, [&](ChannelId c, ChannelId d) {
      loads_[c.index()] -= flow;
      loads_[d.index()] += flow;
      if (channels_.to(c) == channels_.to(d)) return;
      flow_[channels_.to(c).index()] -= flow;
      flow_[channels_.to(d).index()] += flow;
    });
    --siblings_[used.index()];
    ++siblings_[other.index()];
    routes_.set_next(tree_, other);
  }

  SwitchId next(SwitchId sw) const { return channels_.to(routes_.next(tree_, sw)); }

  static constexpr std::uint32_t kNoPath = ~0U;

  const LayersInUse* layers_;  ///< null: credit loops do not matter
  const bool for_shifts_;
  const std::uint64_t enough_;
  std::optional<LayerCdgs> cdgs_;
  const common::Channels& channels_;
  Routes& routes_;
  const std::vector<std::uint64_t> hosts_;  ///< by switch
  ChannelLoads loads_;
  std::vector<std::uint32_t> trees_;     ///< to hosts, in the order in which they are improved
  std::vector<std::uint32_t> siblings_;  ///< by channel: trees to hosts of the switch `to_` that send by it
  // The tree to one LID.
  std::size_t tree_ = 0;
  SwitchId to_ = SwitchId::none();
  std::vector<std::uint32_t> hops_;  ///< by switch
  std::vector<std::vector<SwitchId>> by_hops_;
  std::vector<SwitchId> path_;
  std::vector<std::pair<double, ChannelId>> better_;  ///< by change of the cost
  std::vector<std::uint64_t> flow_;                   ///< by switch: paths that start or pass there
};

}  // namespace

void balance_flows(const LayersInUse* layers, Routes& routes, const Before& before) {
  FlowSearch(layers, routes, before, false).run();
}

void balance_flows_and_shifts(Routes& routes) { FlowSearch(nullptr, routes, {}, true).run(); }

bool can_balance_flows(const Routes& routes) {
  return routes.tree_count() * routes.channels().switch_count() <= kMostEntries;
}

}  // namespace rch::engines::dfsssp
