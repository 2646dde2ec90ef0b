#include "engines/dfsssp/shortest_trees.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "engines/dfsssp/loads.h"

// Each tree raises the loads that the next one avoids (Hoefler, Schneider, Lumsdaine: Optimized Routing for
// Large-Scale InfiniBand Networks, HOTI 2009). OpenSM searches once for every LID. Here only lengths matter
// first, so all trees to one switch choose among the same channels, which are listed once; a choice is one
// sweep over that list.

namespace rch::engines::dfsssp {
namespace {

/// Switches whose trees are laid at the same time, not knowing of each other. More make worse balance on
/// damaged fat trees (docs/decisions/0007).
constexpr std::size_t kBatch = 4;

/// Rounds in which all trees are laid anew: at most kMostRounds, and as many as this many trees times
/// channels allow (a k=16 fat tree has 5.5 million).
constexpr std::size_t kMostRounds = 3;
constexpr std::size_t kWork = std::size_t{1} << 23;

/// Lays trees to one switch after the other.
class TreeLayer {
 public:
  TreeLayer(const HopMatrix& hops, Routes& routes)
      : hops_(hops),
        routes_(routes),
        hosts_(host_counts(routes.view())),
        counter_(routes),
        cost_(hops.switch_count),
        flow_(hops.switch_count) {}

  /// `trees` lead to one switch; `anew`: they lie already.
  void lay(std::span<const std::uint32_t> trees, Loads& loads, bool anew = false) {
    list_ways(routes_.tree(trees.front()).to);
    for (std::uint32_t tree : trees) {
      if (anew) counter_.take_back(tree, loads);
      choose(loads);
      write(routes_.places(tree));
      if (!routes_.tree(tree).host.is_none()) add_to(loads);
    }
  }

 private:
  /// A channel that brings packets nearer to the destination.
  struct Way {
    common::ChannelId channel;
    std::uint32_t to;
  };

  /// Switches by distance, and the ways of each. The destination comes first and has none.
  void list_ways(SwitchId destination) {
    const common::Channels& channels = routes_.channels();
    const std::span<const std::uint8_t> hops = hops_.row(destination);
    std::array<std::uint32_t, HopMatrix::kUnknown + 2> place{};
    for (std::uint8_t h : hops) ++place[h + std::size_t{1}];
    std::partial_sum(place.begin(), place.end(), place.begin());
    order_.resize(place[HopMatrix::kUnknown]);
    for (std::uint32_t s = 0; s < hops.size(); ++s)
      if (hops[s] != HopMatrix::kUnknown) order_[place[hops[s]]++] = s;
    ways_.clear();
    first_way_.clear();
    for (std::uint32_t s : order_) {
      first_way_.push_back(static_cast<std::uint32_t>(ways_.size()));
      channels.for_each_leaving(SwitchId(s), [&](common::ChannelId c) {
        const SwitchId next = channels.to(c);
        if (hops[next.index()] + 1 == hops[s]) ways_.push_back({c, next.value});
      });
    }
    first_way_.push_back(static_cast<std::uint32_t>(ways_.size()));
    chosen_.resize(order_.size());
  }

  void choose(const Loads& loads) {
    cost_[order_.front()] = 0;
    for (std::size_t i = 1; i < order_.size(); ++i) {
      std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
      for (std::uint32_t w = first_way_[i]; w < first_way_[i + 1]; ++w) {
        const std::uint64_t cost = loads[ways_[w].channel.index()] + cost_[ways_[w].to];
        chosen_[i] = cost < least ? w : chosen_[i];
        least = std::min(least, cost);
      }
      cost_[order_[i]] = least;
    }
  }

  void write(std::span<std::uint8_t> places) const {
    for (std::size_t i = 1; i < order_.size(); ++i)
      places[order_[i]] = static_cast<std::uint8_t>(ways_[chosen_[i]].channel.value -
                                                    routes_.channels().first(SwitchId(order_[i])).value);
  }

  void add_to(Loads& loads) {
    flow_ = hosts_;
    for (std::size_t i = order_.size(); i-- > 1;) {
      const Way& way = ways_[chosen_[i]];
      loads[way.channel.index()] += flow_[order_[i]];
      flow_[way.to] += flow_[order_[i]];
    }
  }

  const HopMatrix& hops_;
  Routes& routes_;
  const std::vector<std::uint64_t> hosts_;
  PathCounter counter_;
  std::vector<std::uint32_t> order_;
  std::vector<Way> ways_;
  std::vector<std::uint32_t> first_way_;  ///< by place in order_, and one past the last
  std::vector<std::uint32_t> chosen_;     ///< by place in order_, index into ways_
  std::vector<std::uint64_t> cost_;       ///< by switch: loads on the way to the destination
  std::vector<std::uint64_t> flow_;       ///< by switch: paths that pass it
};

/// Trees to one switch that are laid together.
using Job = std::span<const std::uint32_t>;

/// Trees by turn, then switch.
std::vector<std::uint32_t> in_turn(const Routes& routes, std::span<const std::uint8_t> turns) {
  constexpr unsigned kLast = 256;
  std::vector<std::uint32_t> trees(routes.tree_count());
  std::iota(trees.begin(), trees.end(), 0U);
  std::ranges::stable_sort(
      trees, {}, [&](std::uint32_t t) { return routes.tree(t).host.is_none() ? kLast : unsigned{turns[t]}; });
  return trees;
}

/// The jobs of each turn.
std::vector<std::vector<Job>> jobs(const Routes& routes, std::span<const std::uint8_t> turns,
                                   std::span<const std::uint32_t> trees) {
  std::vector<std::vector<Job>> by_turn;
  const auto same_turn = [&](std::uint32_t a, std::uint32_t b) {
    return turns[a] == turns[b] && routes.tree(a).host.is_none() == routes.tree(b).host.is_none();
  };
  for (std::size_t begin = 0, end; begin < trees.size(); begin = end) {
    const std::uint32_t first = trees[begin];
    if (begin == 0 || !same_turn(first, trees[begin - 1])) by_turn.emplace_back();
    for (end = begin; end < trees.size() && same_turn(first, trees[end]) &&
                      routes.tree(first).to == routes.tree(trees[end]).to;)
      ++end;
    by_turn.back().push_back(trees.subspan(begin, end - begin));
  }
  return by_turn;
}

}  // namespace

void lay_shortest_trees(const HopMatrix& hops, std::span<const std::uint8_t> turns, Routes& routes) {
  Loads loads(routes.channels().size());
  LoadBatches batches(loads, kBatch);
  std::vector<TreeLayer> layers(kBatch, TreeLayer(hops, routes));
  const std::vector<std::uint32_t> trees = in_turn(routes, turns);
  for (const std::vector<Job>& turn : jobs(routes, turns, trees)) {
    // The switches of a batch stand far apart in the order, where they have few channels in common.
    const std::size_t rounds = (turn.size() + kBatch - 1) / kBatch;
    for (std::size_t r = 0; r < rounds; ++r)
      batches.run((turn.size() - r + rounds - 1) / rounds,
                  [&](std::size_t i, Loads& own) { layers[i].lay(turn[r + i * rounds], own); });
  }
}

std::optional<Routes> lay_anew(const HopMatrix& hops, std::span<const std::uint8_t> turns,
                               const Routes& routes) {
  const std::size_t work = std::max<std::size_t>(1, routes.tree_count() * routes.channels().size());
  const std::size_t rounds = std::min(kMostRounds, kWork / work);
  if (rounds == 0) return std::nullopt;
  Routes anew = routes;
  Loads loads = count_loads(anew);
  TreeLayer layer(hops, anew);
  const std::vector<std::uint32_t> trees = in_turn(routes, turns);
  const std::vector<std::vector<Job>> by_turn = jobs(routes, turns, trees);
  for (std::size_t round = 0; round < rounds; ++round)
    for (const std::vector<Job>& turn : by_turn)
      for (Job job : turn) layer.lay(job, loads, true);
  return anew;
}

}  // namespace rch::engines::dfsssp
