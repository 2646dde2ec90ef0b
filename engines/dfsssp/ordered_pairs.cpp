#include "engines/dfsssp/ordered_pairs.h"

#include <algorithm>
#include <deque>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "engines/common/acyclic_cdg.h"
#include "engines/dfsssp/escape_tree.h"
#include "engines/dfsssp/pair_layers.h"
#include "engines/dfsssp/partition.h"

// In a network of diameter two a path from a to c by b depends on the channel (b, c) while it holds (a, b).
// If all sources precede their destinations, every second switch on a walk through the dependencies comes
// later in the order, so no walk is closed. In a dragonfly a minimal path has a channel inside the group of
// its source, one between two groups, and one inside the group of its destination. If groups are consecutive,
// each is later in the order than the one before.
//
// Elsewhere the dependencies of each layer contain cycles. A topological order violates some of them, and the
// pairs that need these are left. If they are many, another method serves better.

namespace rch::engines::dfsssp {
namespace {

using common::ChannelId;

/// Destinations whose layers are written together: so many bytes are a cache line.
constexpr std::size_t kDestinations = 64;
/// Channels that the search for a cycle visits before it refuses a dependency (docs/decisions/0007).
constexpr std::size_t kSearched = 200;
/// The same for the few pairs that the order leaves: of a slim fly these fit only where more is searched.
constexpr std::size_t kSearchedForLeft = 20'000;

/// By switch and neighbour, the square of the number of switches that both have as neighbours.
std::vector<std::vector<std::uint64_t>> link_weights(const fabric::SwitchGraph& graph) {
  constexpr std::size_t kGrain = 64;
  std::vector<std::vector<std::uint64_t>> weights(graph.switch_count());
  parallel_ranges(weights.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    IdSet<SwitchId> near(graph.switch_count());
    for (std::size_t s = begin; s < end; ++s) {
      const auto neighbors = graph.neighbors(SwitchId(static_cast<std::uint32_t>(s)));
      for (const fabric::Neighbor& n : neighbors) near.insert(n.sw);
      for (const fabric::Neighbor& n : neighbors) {
        std::uint64_t common = 0;
        for (const fabric::Neighbor& far : graph.neighbors(n.sw)) common += near.contains(far.sw) ? 1 : 0;
        weights[s].push_back(common * common);
      }
      for (const fabric::Neighbor& n : neighbors) near.erase(n.sw);
    }
  });
  return weights;
}

/// By switch, its place in an order from `root` that continues with the switch most closely linked to those
/// before it, and among such with the one that was linked first. Where no two neighbours have a common one,
/// that is the order of a breadth-first search.
std::vector<std::uint32_t> group_order(const fabric::SwitchGraph& graph, SwitchId root) {
  const auto weights = link_weights(graph);
  const std::size_t count = graph.switch_count();
  std::vector<std::uint32_t> place(count, 0), first_linked(count, 0);
  std::uint32_t links = 0;
  std::vector<std::uint64_t> weight(count, 0);
  std::vector<std::uint8_t> placed(count, 0);
  std::priority_queue<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>> next;  // weight, ~time, switch
  std::uint32_t places = 0;
  for (std::size_t start = 0; start <= count; ++start) {
    next.emplace(0, 0, start == 0 ? root.value : static_cast<std::uint32_t>(start - 1));
    while (!next.empty()) {
      const std::uint32_t s = std::get<2>(next.top());
      next.pop();
      if (std::exchange(placed[s], std::uint8_t{1}) != 0) continue;
      place[s] = places++;
      const auto neighbors = graph.neighbors(SwitchId(s));
      for (std::size_t i = 0; i < neighbors.size(); ++i) {
        const std::uint32_t n = neighbors[i].sw.value;
        weight[n] += weights[s][i];
        if (first_linked[n] == 0) first_linked[n] = ++links;
        if (placed[n] == 0) next.emplace(weight[n], ~first_linked[n], n);
      }
    }
  }
  return place;
}

/// The switches that send to a tree's destination, nearest first, and the bits that stand for their paths.
class TreeSweep {
 public:
  TreeSweep(const HopMatrix& hops, const Routes& routes) : hops_(hops), routes_(routes) {}

  void select(std::uint32_t tree) {
    tree_ = tree;
    const std::span<const std::uint8_t> hops = hops_.row(routes_.tree(tree).to);
    std::vector<std::uint32_t>& begin = begins_;
    begin.assign(HopMatrix::kUnknown + 2, 0);
    for (const std::uint8_t h : hops) ++begin[h + 1];
    for (std::size_t h = 1; h < begin.size(); ++h) begin[h] += begin[h - 1];
    outwards_.resize(hops.size());
    for (std::uint32_t s = 0; s < hops.size(); ++s) outwards_[begin[hops[s]]++] = SwitchId(s);
    std::erase_if(outwards_, [&](SwitchId s) { return !routes_.sends(tree, s); });
  }
  const std::vector<SwitchId>& outwards() const { return outwards_; }
  ChannelId channel(SwitchId s) const { return routes_.next(tree_, s); }
  SwitchId next(SwitchId s) const { return routes_.channels().to(channel(s)); }

 private:
  const HopMatrix& hops_;
  const Routes& routes_;
  std::uint32_t tree_ = 0;
  std::vector<std::uint32_t> begins_;  ///< by hops
  std::vector<SwitchId> outwards_;
};

class OrderedPairs {
 public:
  OrderedPairs(const fabric::SwitchGraph& graph, const HopMatrix& hops, const Routes& routes)
      : hops_(hops),
        routes_(routes),
        channels_(routes.channels()),
        root_(partition_destinations(hops, 1).centres.front()),
        place_(group_order(graph, root_)),
        tree_(channels_, root_),
        is_source_(channels_.switch_count()) {
    for (const SwitchId s : routes.sources()) is_source_[s.index()] = 1;
  }

  std::optional<VirtualLayers> divide(std::size_t most) {
    /// More pairs than one in so many take too long to search for.
    constexpr std::size_t kFewPairsOf = 16;
    const std::size_t switches = channels_.switch_count();
    fill_layers();
    VirtualLayers layers{.count = 2, .of_pair = std::vector<std::uint8_t>(switches * switches)};
    std::vector<SwitchPair> left = place_pairs(layers.of_pair);
    if (left.size() * kFewPairsOf > routes_.sources().size() * switches) return std::nullopt;
    for (std::size_t layer = 0; layer < most && !left.empty(); ++layer) {
      if (layer == cdgs_.size()) add_layer(common::DependencyGraph(channels_));
      cdgs_[layer].limit_search(kSearchedForLeft);
      std::erase_if(left, [&](const SwitchPair& pair) {
        if (!try_add_pair(routes_, pair, cdgs_[layer])) return false;
        layers.of_pair[pair.from.index() * switches + pair.to.index()] = static_cast<std::uint8_t>(layer);
        return true;
      });
    }
    if (!left.empty()) return std::nullopt;
    layers.count = cdgs_.size();
    layers.trees = {tree_.tree()};
    return layers;
  }

 private:
  std::uint8_t layer_of(SwitchId from, SwitchId to) const {
    return place_[from.index()] < place_[to.index()] ? 0 : 1;
  }

  /// Lists the dependencies of the paths on both layers, then adds those that close no cycle.
  void fill_layers() {
    constexpr std::size_t kGrain = 64;
    common::DependencyGraph first(channels_), second(channels_);
    parallel_ranges(routes_.tree_count(), kGrain, [&](std::size_t begin, std::size_t end) {
      TreeSweep sweep(hops_, routes_);
      std::vector<std::uint8_t> passing;
      for (auto tree = static_cast<std::uint32_t>(begin); tree < end; ++tree) {
        sweep.select(tree);
        find_passing(sweep, routes_.tree(tree).to, passing);
        for (const SwitchId s : sweep.outwards()) {
          if (passing[s.index()] == 0 || sweep.next(s) == routes_.tree(tree).to) continue;
          const ChannelId c = sweep.channel(s), next = sweep.channel(sweep.next(s));
          if ((passing[s.index()] & 1U) != 0 && !leads_to_root(next)) first.add(c, next);
          if ((passing[s.index()] & 2U) != 0) second.add(c, next);
        }
      }
    });
    tree_.for_each_dependency([&](ChannelId c, ChannelId next) { first.add(c, next); });
    add_layer(first);
    add_layer(second);
  }

  /// Layer 0 would contain a cycle of multicast packets, which go to the root and back, and of others, which
  /// go on along the order, if both followed such a channel. The switches by the root are early in the order,
  /// so few pairs of layer 0 have to.
  bool leads_to_root(ChannelId c) const {
    return tree_.tree().parent[channels_.from(c).index()] == channels_.to(c);
  }

  /// By switch, a bit for each layer whose packets to the tree's destination pass it.
  void find_passing(const TreeSweep& sweep, SwitchId to, std::vector<std::uint8_t>& passing) const {
    passing.assign(channels_.switch_count(), 0);
    for (auto s = sweep.outwards().rbegin(); s != sweep.outwards().rend(); ++s) {
      if (is_source_[s->index()] != 0)
        passing[s->index()] = static_cast<std::uint8_t>(passing[s->index()] | (1U << layer_of(*s, to)));
      passing[sweep.next(*s).index()] |= passing[s->index()];
    }
  }

  /// The multicast tree comes first, so that layer 0 has room for it.
  void add_layer(const common::DependencyGraph& dependencies) {
    common::AcyclicCdg& cdg = cdgs_.emplace_back(channels_, common::topological_order(dependencies).channels);
    if (cdgs_.size() == 1) tree_.reserve(cdg);
    cdg.limit_search(kSearched);
    for (std::uint32_t i = 0; i < channels_.size(); ++i)
      for (std::size_t d = 0; d < dependencies.degree(ChannelId(i)); ++d) {
        const ChannelId next = dependencies.successor(ChannelId(i), d);
        if (!next.is_none()) cdg.try_add(ChannelId(i), next);
      }
  }

  /// Puts each pair on its own layer, or on the other if it fits only there. Returns those that fit nowhere.
  std::vector<SwitchPair> place_pairs(std::vector<std::uint8_t>& of_pair) const {
    const std::size_t switches = channels_.switch_count();
    std::vector<std::vector<SwitchPair>> left((switches + kDestinations - 1) / kDestinations);
    parallel_ranges(left.size(), 1, [&](std::size_t begin, std::size_t end) {
      TreeSweep sweep(hops_, routes_);
      std::vector<std::uint8_t> fits, of_tree, column(switches * kDestinations);
      for (std::size_t block = begin; block < end; ++block) {
        const std::size_t first = block * kDestinations, size = std::min(kDestinations, switches - first);
        for (std::size_t i = 0; i < size; ++i) {
          const SwitchId to(static_cast<std::uint32_t>(first + i));
          find_fitting(to, sweep, of_tree, fits);
          for (std::uint32_t s = 0; s < switches; ++s)
            column[s * kDestinations + i] = place({to, SwitchId(s)}, fits[s], left[block]);
        }
        for (std::size_t s = 0; s < switches; ++s)
          std::copy_n(column.begin() + static_cast<std::ptrdiff_t>(s * kDestinations), size,
                      of_pair.begin() + static_cast<std::ptrdiff_t>(s * switches + first));
      }
    });
    std::vector<SwitchPair> all;
    for (const std::vector<SwitchPair>& some : left) all.insert(all.end(), some.begin(), some.end());
    return all;
  }

  /// By switch, a bit for each layer that contains all its paths to a switch.
  void find_fitting(SwitchId to, TreeSweep& sweep, std::vector<std::uint8_t>& of_tree,
                    std::vector<std::uint8_t>& fits) const {
    constexpr std::uint8_t kBoth = 3;
    fits.assign(channels_.switch_count(), kBoth);
    const auto [begin, end] = routes_.trees_to(to);
    for (std::uint32_t tree = begin; tree < end; ++tree) {
      sweep.select(tree);
      of_tree.assign(channels_.switch_count(), kBoth);
      for (const SwitchId s : sweep.outwards()) {
        const SwitchId at = sweep.next(s);
        if (at == to) continue;
        const std::uint8_t here = layers_with(sweep.channel(s), sweep.channel(at));
        of_tree[s.index()] = of_tree[at.index()] & here;
        fits[s.index()] &= of_tree[s.index()];
      }
    }
  }
  std::uint8_t layers_with(ChannelId c, ChannelId next) const {
    return static_cast<std::uint8_t>((cdgs_[0].has(c, next) ? 1U : 0U) | (cdgs_[1].has(c, next) ? 2U : 0U));
  }

  /// `fits`: a bit for each layer.
  std::uint8_t place(const SwitchPair& pair, std::uint8_t fits, std::vector<SwitchPair>& left) const {
    if (is_source_[pair.from.index()] == 0 || pair.from == pair.to) return 0;
    const std::uint8_t own = layer_of(pair.from, pair.to);
    if ((fits >> own & 1U) != 0) return own;
    if (fits != 0) return 1 - own;
    left.push_back(pair);
    return 0;
  }

  const HopMatrix& hops_;
  const Routes& routes_;
  const common::Channels& channels_;
  const SwitchId root_;
  const std::vector<std::uint32_t> place_;  ///< by switch
  const EscapeTree tree_;                   ///< reserved on layer 0
  std::vector<std::uint8_t> is_source_;     ///< by switch
  std::deque<common::AcyclicCdg> cdgs_;     ///< by layer
};

}  // namespace

std::optional<VirtualLayers> layers_for_ordered_pairs(const fabric::SwitchGraph& graph, const HopMatrix& hops,
                                                      const Routes& routes, std::size_t most) {
  if (most < 2) return std::nullopt;
  return OrderedPairs(graph, hops, routes).divide(most);
}

}  // namespace rch::engines::dfsssp
