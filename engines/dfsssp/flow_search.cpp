#include "engines/dfsssp/flow_search.h"

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "engines/dfsssp/channel_loads.h"

namespace rch::engines::dfsssp {
namespace {

using common::ChannelId;

/// Trees times switches: a k=24 fat tree has three millions.
constexpr std::size_t kMostEntries = 4'000'000;

class FlowSearch {
 public:
  FlowSearch(const HopMatrix& hops, Routes& routes)
      : hops_(hops),
        channels_(routes.channels()),
        routes_(routes),
        hosts_(host_counts(routes.view())),
        loads_(count_loads(routes)) {}

  void run() {
    for (std::size_t round = 0; round < kMostRounds && !is_even(); ++round)
      if (!improve()) return;
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

  bool improve() {
    bool better = false;
    for (std::size_t tree = 0; tree < routes_.tree_count(); ++tree) {
      if (routes_.tree(tree).host.is_none()) continue;
      select_tree(tree);
      for (SwitchId sw : farthest_first_) better = improve_at(sw) || better;
    }
    return better;
  }

  /// Counts the paths that pass each switch.
  void select_tree(std::size_t tree) {
    tree_ = tree;
    to_ = routes_.tree(tree).to;
    const auto row = hops_.row(to_);
    farthest_first_.clear();
    for (std::uint32_t s = 0; s < row.size(); ++s)
      if (routes_.sends(tree, SwitchId(s))) farthest_first_.push_back(SwitchId(s));
    std::ranges::stable_sort(farthest_first_, std::ranges::greater(),
                             [&](SwitchId sw) { return row[sw.index()]; });
    flow_ = hosts_;
    for (SwitchId sw : farthest_first_) flow_[next(sw).index()] += flow_[sw.index()];
  }

  /// Lets the switch send by the channel that lowers the cost most, if any does.
  bool improve_at(SwitchId sw) {
    const auto row = hops_.row(to_);
    const auto flow = static_cast<double>(flow_[sw.index()]);
    const ChannelId used = routes_.next(tree_, sw);
    if (flow_[sw.index()] == 0 || row[channels_.to(used).index()] + 1 != row[sw.index()]) return false;
    ChannelId best = used;
    double least = -1;  // of less than one flow no gain is real
    channels_.for_each_leaving(sw, [&](ChannelId c) {
      if (c == used || row[channels_.to(c).index()] + 1 != row[sw.index()]) return;
      const double change = cost_change(used, c, flow);
      if (change < least) {
        least = change;
        best = c;
      }
    });
    if (best == used) return false;
    move(used, best, flow_[sw.index()]);
    return true;
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
    double change = 0;
    for_each_pair(used, other, [&](ChannelId c, ChannelId d) {
      const auto from = static_cast<double>(loads_[c.index()]), to = static_cast<double>(loads_[d.index()]);
      change += cost(from - flow) - cost(from) + cost(to + flow) - cost(to);
    });
    return change;
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
    routes_.set_next(tree_, other);
  }

  SwitchId next(SwitchId sw) const { return channels_.to(routes_.next(tree_, sw)); }

  const HopMatrix& hops_;
  const common::Channels& channels_;
  Routes& routes_;
  const std::vector<std::uint64_t> hosts_;  ///< by switch
  ChannelLoads loads_;
  // The tree to one LID.
  std::size_t tree_ = 0;
  SwitchId to_;
  std::vector<SwitchId> farthest_first_;
  std::vector<std::uint64_t> flow_;  ///< by switch: paths that start or pass there
};

}  // namespace

void balance_flows(const HopMatrix& hops, Routes& routes) { FlowSearch(hops, routes).run(); }

bool can_balance_flows(const Routes& routes) {
  return routes.tree_count() * routes.channels().switch_count() <= kMostEntries;
}

}  // namespace rch::engines::dfsssp
