#include "engines/dfsssp/turn_layers.h"

#include <algorithm>
#include <utility>

#include "engines/common/acyclic_cdg.h"
#include "engines/dfsssp/pair_layers.h"
#include "engines/multicast/breadth_first_tree.h"

namespace rch::engines::dfsssp {
namespace {

using common::ChannelId;

/// Roots of multicast trees that are tried, at most one more.
constexpr std::size_t kSampledRoots = 8;

/// Switches that a group of all hosts needs of a tree; none if the tree leaves hosts out.
IdSet<SwitchId> branches_to_hosts(const fabric::SubFabric& view, const SpanningTree& tree) {
  IdSet<SwitchId> needed(view.switch_count());
  needed.insert(tree.order.front());
  for (auto sw = tree.order.rbegin(); sw != tree.order.rend(); ++sw)
    if (!view.end_ports_of(*sw).empty())
      for (SwitchId at = *sw; !needed.contains(at); at = tree.parent[at.index()]) needed.insert(at);
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    if (!view.end_ports_of(SwitchId(s)).empty() && !needed.contains(SwitchId(s))) return {};
  return needed;
}

/// Layer 0: all dependencies but down-up turns, used or not, and those that a multicast tree adds.
class FirstLayer {
 public:
  FirstLayer(const DownUpTurns& turns, const Routes& routes, std::span<const ChannelId> order)
      : turns_(turns), channels_(routes.channels()), cdg_(channels_, order) {
    for (const ChannelId c : order)
      channels_.for_each_leaving(channels_.to(c), [&](ChannelId next) {
        if (channels_.to(next) != channels_.from(c) && !turns.is_turn(c, next)) cdg_.try_add(c, next);
      });
  }

  /// Adds the turns of these branches; false if they would close a cycle, on whichever of parallel links.
  bool add(const SpanningTree& tree, const IdSet<SwitchId>& branches) {
    const auto joined = [&](SwitchId a, SwitchId b) {
      return branches.contains(a) && branches.contains(b) &&
             (tree.parent[a.index()] == b || tree.parent[b.index()] == a);
    };
    return cdg_.try_add_all([&](auto&& add) {
      for (std::uint32_t i = 0; i < channels_.size(); ++i) {
        const ChannelId c(i);
        if (!joined(channels_.from(c), channels_.to(c))) continue;
        channels_.for_each_leaving(channels_.to(c), [&](ChannelId next) {
          if (channels_.to(next) != channels_.from(c) && turns_.is_turn(c, next) &&
              joined(channels_.to(c), channels_.to(next)))
            add(c, next);
        });
      }
    });
  }

  const common::AcyclicCdg& cdg() const { return cdg_; }

 private:
  const DownUpTurns& turns_;
  const common::Channels& channels_;
  common::AcyclicCdg cdg_;
};

/// Adds a multicast tree; nothing if none of the roots has one.
std::optional<SpanningTree> add_tree(const DownUpTurns& turns, const Routes& routes, FirstLayer& layer) {
  const std::vector<SwitchId>& by_rank = turns.by_rank();
  const std::size_t step = std::max<std::size_t>(1, by_rank.size() / kSampledRoots);
  for (std::size_t i = by_rank.size(); i > 0; i -= std::min(i, step)) {
    SpanningTree tree = multicast::breadth_first_tree(turns.graph(), by_rank[i - 1]);
    const IdSet<SwitchId> branches = branches_to_hosts(routes.view(), tree);
    if (!branches.empty() && layer.add(tree, branches)) return tree;
  }
  return std::nullopt;
}

/// Adds all trees to a switch, or none.
bool try_add(const Routes& routes, SwitchId to, common::AcyclicCdg& layer) {
  std::vector<std::uint8_t> seen;
  return layer.try_add_all([&](auto&& add) {
    const auto [begin, end] = routes.trees_to(to);
    for (std::uint32_t tree = begin; tree < end; ++tree) routes.for_each_dependency(tree, seen, add);
  });
}

/// True if a path from the one to a LID on the other has a down-up turn.
bool has_turn(const DownUpTurns& turns, const Routes& routes, const SwitchPair& pair) {
  const common::Channels& channels = routes.channels();
  const auto [begin, end] = routes.trees_to(pair.to);
  for (std::uint32_t tree = begin; tree < end; ++tree) {
    ChannelId c = routes.next(tree, pair.from);
    for (SwitchId at = channels.to(c); at != pair.to; at = channels.to(c)) {
      const ChannelId next = routes.next(tree, at);
      if (turns.is_turn(c, next)) return true;
      c = next;
    }
  }
  return false;
}

/// Pairs to switches with turns, whose own paths have some, by destination.
std::vector<SwitchPair> pairs_with_turns(const DownUpTurns& turns, const Routes& routes) {
  std::vector<SwitchPair> pairs;
  for (SwitchId to : turns.destinations()) {
    const auto [begin, end] = routes.trees_to(to);
    for (SwitchId from : routes.sources())
      if (begin != end && routes.sends(begin, from) && has_turn(turns, routes, {to, from}))
        pairs.push_back({to, from});
  }
  return pairs;
}

/// Destinations on further layers, each the first that it fits into; nothing if `most` do not suffice.
std::optional<VirtualLayers> divide_destinations(const DownUpTurns& turns, const Routes& routes,
                                                 std::span<const ChannelId> order, std::size_t most) {
  std::vector<SwitchId> left = turns.destinations();
  VirtualLayers layers{.count = 1, .layer_of = std::vector<std::uint8_t>(routes.channels().switch_count())};
  while (!left.empty()) {
    if (layers.count == most) return std::nullopt;
    common::AcyclicCdg layer(routes.channels(), order);
    std::erase_if(left, [&](SwitchId to) {
      if (!try_add(routes, to, layer)) return false;
      layers.layer_of[to.index()] = static_cast<std::uint8_t>(layers.count);
      return true;
    });
    ++layers.count;
  }
  return layers;
}

/// What pairs with turns are divided by.
struct PairDivision {
  const Routes& routes;
  std::span<const ChannelId> order;
  const common::AcyclicCdg& first;  ///< of layer 0

  /// Each pair on the first of `most` layers that it fits into, layer 0 included; all other pairs on layer 0.
  /// Leaves those in `pairs` that fit into none.
  VirtualLayers run(std::vector<SwitchPair>& pairs, std::size_t most) const {
    const std::size_t switches = routes.channels().switch_count();
    VirtualLayers layers{.count = 0, .of_pair = std::vector<std::uint8_t>(switches * switches)};
    while (!pairs.empty() && layers.count < most) {
      common::AcyclicCdg layer = layers.count == 0 ? first : common::AcyclicCdg(routes.channels(), order);
      std::erase_if(pairs, [&](const SwitchPair& pair) {
        if (!try_add_pair(routes, pair, layer)) return false;
        layers.of_pair[pair.from.index() * switches + pair.to.index()] =
            static_cast<std::uint8_t>(layers.count);
        return true;
      });
      ++layers.count;
    }
    return layers;
  }
};

/// Moves `urgent`, in the order of `pairs`, to the front of them.
void move_to_front(const std::vector<SwitchPair>& urgent, std::vector<SwitchPair>& pairs) {
  auto next = urgent.begin();
  std::stable_partition(pairs.begin(), pairs.end(), [&](const SwitchPair& pair) {
    const bool is_next = next != urgent.end() && *next == pair;
    if (is_next) ++next;
    return is_next;
  });
}

/// Pairs on at most `most` layers. What does not fit comes first in the next attempt.
std::optional<VirtualLayers> divide_pairs(const PairDivision& division, std::vector<SwitchPair> pairs,
                                          std::size_t most) {
  constexpr int kAttempts = 8;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::vector<SwitchPair> left = pairs;
    VirtualLayers layers = division.run(left, most);
    if (left.empty()) return layers;
    move_to_front(left, pairs);
  }
  return std::nullopt;
}

}  // namespace

std::optional<VirtualLayers> layers_for_turns(const DownUpTurns& turns, const Routes& routes,
                                              std::size_t most) {
  constexpr std::size_t kFewest = 2;
  std::size_t trees = 0;
  for (SwitchId to : turns.destinations()) trees += routes.trees_to(to).second - routes.trees_to(to).first;
  if (trees * 2 > routes.tree_count()) return std::nullopt;
  const std::vector<ChannelId> order = turns.topological_order();
  FirstLayer first(turns, routes, order);
  auto tree = add_tree(turns, routes, first);
  if (!tree) return std::nullopt;
  auto layers = divide_destinations(turns, routes, order, most);
  const std::size_t switches = routes.channels().switch_count();
  if ((!layers || layers->count > kFewest) && switches * switches <= kMostPairs) {
    const std::vector<SwitchPair> pairs = pairs_with_turns(turns, routes);
    const PairDivision division{routes, order, first.cdg()};
    for (std::size_t count = kFewest; count < (layers ? layers->count : most + 1); ++count)
      if (auto by_pair = divide_pairs(division, pairs, count)) layers = std::move(by_pair);
  }
  if (layers) layers->trees = {*tree};
  return layers;
}

}  // namespace rch::engines::dfsssp
