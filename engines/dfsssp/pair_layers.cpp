#include "engines/dfsssp/pair_layers.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engines/common/acyclic_cdg.h"
#include "engines/dfsssp/escape_tree.h"
#include "engines/dfsssp/partition.h"

namespace rch::engines::dfsssp {
namespace {

using common::ChannelId;

/// Each is a byte of the table of layers.
constexpr std::size_t kMostPairs = std::size_t{1} << 20;

struct SwitchPair {
  SwitchId from, to;
};

/// Pairs of a source and a destination, by destination.
std::vector<SwitchPair> pairs_with_paths(const Routes& routes) {
  std::vector<SwitchPair> pairs;
  for (std::uint32_t s = 0; s < routes.channels().switch_count(); ++s) {
    const auto [begin, end] = routes.trees_to(SwitchId(s));
    for (SwitchId from : routes.sources())
      if (begin != end && routes.sends(begin, from)) pairs.push_back({from, SwitchId(s)});
  }
  return pairs;
}

/// Adds the paths from a switch to all LIDs on another, or none.
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

/// All LIDs on the destination are reached as before.
bool has_same_paths(const Routes& routes, const Routes& before, const SwitchPair& pair) {
  const auto [begin, end] = routes.trees_to(pair.to);
  for (std::uint32_t tree = begin; tree < end; ++tree)
    for (SwitchId at = pair.from; at != pair.to; at = routes.channels().to(routes.next(tree, at)))
      if (routes.outputs(tree)[at.index()] != before.outputs(tree)[at.index()]) return false;
  return true;
}

class FirstFit {
 public:
  FirstFit(const HopMatrix& hops, const Routes& routes)
      : routes_(routes),
        order_(topological_order(routes).channels),
        tree_(routes.channels(), partition_destinations(hops, 1).centres.front()) {}

  /// Fills one layer after the other, each with the first pairs that fit. Removes the pairs that have a
  /// layer.
  VirtualLayers divide(std::vector<SwitchPair>& pairs, std::size_t most) const {
    const std::size_t switches = routes_.channels().switch_count();
    VirtualLayers layers{
        .count = 0, .of_pair = std::vector<std::uint8_t>(switches * switches), .trees = {tree_.tree()}};
    do {
      common::AcyclicCdg layer(routes_.channels(), order_);
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

  /// Fills all layers at once, beginning with those of `installed`. Leaves pairs that fit nowhere.
  VirtualLayers keep(std::vector<SwitchPair>& pairs, const InstalledLayers& installed,
                     std::size_t most) const {
    const std::size_t switches = routes_.channels().switch_count();
    const auto at = [&](const SwitchPair& pair) { return pair.from.index() * switches + pair.to.index(); };
    VirtualLayers result{
        .count = 0, .of_pair = std::vector<std::uint8_t>(switches * switches), .trees = {tree_.tree()}};
    std::vector<common::AcyclicCdg> layers;
    const auto add_layer = [&] {
      layers.emplace_back(routes_.channels(), order_);
      if (layers.size() == 1) tree_.reserve(layers.front());
    };
    const auto fits = [&](const SwitchPair& pair, std::size_t layer) {
      if (!try_add_pair(routes_, pair, layers[layer])) return false;
      result.of_pair[at(pair)] = static_cast<std::uint8_t>(layer);
      return true;
    };
    add_layer();
    std::stable_partition(pairs.begin(), pairs.end(), [&](const SwitchPair& pair) {
      return has_same_paths(routes_, installed.routes, pair);
    });
    std::erase_if(pairs, [&](const SwitchPair& pair) {
      const std::uint8_t layer = installed.of_pair[at(pair)];
      if (layer >= most) return false;
      while (layers.size() <= layer) add_layer();
      return fits(pair, layer);
    });
    std::erase_if(pairs, [&](const SwitchPair& pair) {
      for (std::size_t layer = 0; layer < most; ++layer) {
        if (layer == layers.size()) add_layer();
        if (fits(pair, layer)) return true;
      }
      return false;
    });
    result.count = layers.size();
    return result;
  }

 private:
  /// The search for a cycle visits so many channels before it refuses a dependency. Few of those it would
  /// take longer to check fit.
  static constexpr std::size_t kVisitedChannels = 200;

  const Routes& routes_;
  const std::vector<ChannelId> order_;
  const EscapeTree tree_;  ///< reserved on layer 0
};

}  // namespace

std::optional<VirtualLayers> layers_for_pairs(const HopMatrix& hops, const Routes& routes, std::size_t most) {
  /// Another order may fit if the first leaves at most one pair in so many.
  constexpr std::size_t kFewOf = 20;
  if (most < 2 || hops.switch_count * hops.switch_count > kMostPairs) return std::nullopt;
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
  return best;
}

std::optional<VirtualLayers> keep_layers_of_pairs(const HopMatrix& hops, const Routes& routes,
                                                  const InstalledLayers& installed, std::size_t most) {
  if (hops.switch_count * hops.switch_count > kMostPairs) return std::nullopt;
  std::vector<SwitchPair> pairs = pairs_with_paths(routes);
  VirtualLayers layers = FirstFit(hops, routes).keep(pairs, installed, most);
  if (!pairs.empty()) return std::nullopt;
  return layers;
}

}  // namespace rch::engines::dfsssp
