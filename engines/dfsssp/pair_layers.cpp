#include "engines/dfsssp/pair_layers.h"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "engines/common/acyclic_cdg.h"
#include "engines/dfsssp/escape_tree.h"
#include "engines/dfsssp/partition.h"

namespace rch::engines::dfsssp {
namespace {

using common::ChannelId;

/// Pairs of switches: each is a byte of the table of layers, and a bit of each digit of an SL.
constexpr std::size_t kMostFirstFits = std::size_t{1} << 22;
/// Switches up to which further orders of the pairs are tried.
constexpr std::size_t kFewSwitches = 256;
/// Switches up to which the search takes most time: a tenth of a second.
constexpr std::size_t kFewestSwitches = 64;

/// Pairs of a source and a destination, by destination.
std::vector<SwitchPair> pairs_with_paths(const Routes& routes) {
  std::vector<SwitchPair> pairs;
  for (std::uint32_t s = 0; s < routes.channels().switch_count(); ++s) {
    const auto [begin, end] = routes.trees_to(SwitchId(s));
    for (SwitchId from : routes.sources())
      if (begin != end && routes.sends(begin, from)) pairs.push_back({SwitchId(s), from});
  }
  return pairs;
}

class FirstFit {
 public:
  FirstFit(const HopMatrix& hops, const Routes& routes)
      : hops_(hops),
        routes_(routes),
        order_(topological_order(routes).channels),
        tree_(routes.channels(), partition_destinations(hops, 1).centres.front()) {}

  /// Fills one layer after the other, each with the first pairs that fit. Removes the pairs that have a
  /// layer.
  VirtualLayers divide(std::vector<SwitchPair>& pairs, std::size_t most) const {
    const std::size_t switches = routes_.channels().switch_count();
    VirtualLayers layers{
        .count = 0, .of_pair = std::vector<std::uint8_t>(switches * switches), .trees = {tree_.tree()}};
    const std::vector<ChannelId> order = order_of(pairs);
    do {
      common::AcyclicCdg layer(routes_.channels(), order);
      if (layers.count == 0) tree_.reserve(layer);
      layer.limit_search(kVisitedChannels);
      std::erase_if(pairs, [&](const SwitchPair& pair) {
        if (!try_add_pair(routes_, pair, layer)) return false;
        layers.of_pair[pair.from.index() * switches + pair.to.index()] =
            static_cast<std::uint8_t>(layers.count);
        return true;
      });
      ++layers.count;
    } while (!pairs.empty() && layers.count < most);
    return layers;
  }

 private:
  /// The search for a cycle visits so many channels before it refuses a dependency. Few of those it would
  /// take longer to check fit.
  static constexpr std::size_t kVisitedChannels = 200;
  /// Switches beyond which channels are ordered along the first paths.
  static constexpr std::size_t kUnordered = 1024;

  /// The layers of large fabrics spend their time on reordering channels. Little is reordered where channels
  /// lead towards the destination of the first pairs, and so towards those of the next.
  std::vector<ChannelId> order_of(const std::vector<SwitchPair>& pairs) const {
    std::vector<ChannelId> order = order_;
    if (hops_.switch_count <= kUnordered || pairs.empty()) return order;
    const SwitchId to = pairs.front().to;
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](ChannelId c) { return hops_.at(routes_.channels().from(c), to); });
    return order;
  }

  const HopMatrix& hops_;
  const Routes& routes_;
  const std::vector<ChannelId> order_;
  const EscapeTree tree_;  ///< reserved on layer 0
};

/// Iterated greedy colouring (Culberson: Iterated Greedy Graph Coloring and the Difficulty Landscape, 1992):
/// divides the pairs again, those of a layer together. They fit into as many layers, and some leave the last.
/// The last layer comes before the others, and every other time they come in an order that was drawn. Layer 0
/// stays first, because it has room for a tree.
VirtualLayers fewer_by_layers(const FirstFit& first_fit, VirtualLayers best, std::vector<SwitchPair> pairs,
                              std::size_t switches) {
  const std::size_t rounds = switches <= kFewestSwitches ? 200 : 32;
  std::mt19937 draw;  // its numbers are the same everywhere
  VirtualLayers last = best;
  for (std::size_t round = 0; round < rounds && best.count > 2; ++round) {
    std::vector<std::size_t> place(last.count);  // by layer
    for (std::size_t layer = 1; layer < place.size(); ++layer)
      place[layer] = round % 2 == 0 ? last.count - layer : 1 + draw() % last.count;
    std::ranges::stable_sort(pairs, {}, [&](const SwitchPair& pair) {
      const std::size_t layer = last.of_pair[pair.from.index() * switches + pair.to.index()];
      return std::pair(place[layer], layer);
    });
    std::vector<SwitchPair> left = pairs;
    VirtualLayers layers = first_fit.divide(left, best.count);
    if (!left.empty()) return best;
    last = std::move(layers);
    if (last.count < best.count) best = last;
  }
  return best;
}

}  // namespace

bool try_add_pair(const Routes& routes, const SwitchPair& pair, common::AcyclicCdg& layer) {
  const common::Channels& channels = routes.channels();
  return layer.try_add_all([&](auto&& add) {
    const auto [begin, end] = routes.trees_to(pair.to);
    for (std::uint32_t tree = begin; tree < end; ++tree) {
      ChannelId c = routes.next(tree, pair.from);
      for (SwitchId at = channels.to(c); at != pair.to; at = channels.to(c)) {
        const ChannelId next = routes.next(tree, at);
        add(c, next);
        c = next;
      }
    }
  });
}

std::optional<VirtualLayers> layers_for_pairs(const HopMatrix& hops, const Routes& routes, std::size_t most) {
  /// Another order may fit if the first leaves at most one pair in so many.
  constexpr std::size_t kFewOf = 20;
  if (most < 2 || hops.switch_count * hops.switch_count > kMostFirstFits) return std::nullopt;
  const FirstFit first_fit(hops, routes);
  std::vector<SwitchPair> pairs = pairs_with_paths(routes);
  std::optional<VirtualLayers> best;
  const auto try_order = [&] {
    if (best && best->count <= 2) return std::size_t{0};
    std::vector<SwitchPair> left = pairs;
    VirtualLayers layers = first_fit.divide(left, best ? best->count - 1 : most);
    if (left.empty()) best = std::move(layers);
    return left.size();
  };
  if (try_order() * kFewOf > pairs.size()) return std::nullopt;
  std::ranges::reverse(pairs);
  try_order();
  std::ranges::stable_sort(pairs, {}, &SwitchPair::from);
  try_order();
  if (!best || hops.switch_count > kFewSwitches) return best;
  std::ranges::stable_sort(pairs, std::ranges::greater{},
                           [&](const SwitchPair& pair) { return hops.at(pair.from, pair.to); });
  try_order();
  return fewer_by_layers(first_fit, *best, std::move(pairs), hops.switch_count);
}

}  // namespace rch::engines::dfsssp
