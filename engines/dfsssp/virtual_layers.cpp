#include "engines/dfsssp/virtual_layers.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "engines/dfsssp/channel_loads.h"
#include "engines/dfsssp/escape_tree.h"
#include "engines/dfsssp/nue.h"
#include "engines/dfsssp/partition.h"
#include "engines/multicast/acyclic_tree.h"

namespace rch::engines::dfsssp {
namespace {

/// Channels that the search for a cycle visits before it refuses the dependency. Few of those it would take
/// longer to check fit, and they take most of the time on large fabrics (docs/decisions/0007).
constexpr std::size_t kSearchLimit = 200;

/// What an attempt to route all trees may do.
struct Terms {
  std::size_t layers = 1;
  bool detours = false;     ///< paths need not be minimal
  bool escape = false;      ///< every layer reserves an escape tree, so that every tree can be routed
  bool multicast = false;   ///< layer 0 reserves one for multicast
  std::size_t variant = 0;  ///< of the partition
};

/// What every attempt starts from: the minimal trees.
struct Start {
  const HopMatrix& hops;
  const Routes& routes;
  common::TopologicalOrder order;
  ChannelLoads loads;
};

/// One virtual layer, whose destinations are routed one after the other.
class Layer {
 public:
  /// Keeps references to `routes` and to what `start` refers to.
  Layer(const Start& start, const Terms& terms, SwitchId centre, bool first,
        std::vector<SwitchId> destinations, Routes& routes)
      : terms_(terms),
        reserves_(terms.escape || (terms.multicast && first)),
        destinations_(std::move(destinations)),
        routes_(routes),
        cdg_(routes.channels(), start.order.channels),
        escape_(routes.channels(), centre),
        nue_(start.hops, {terms.detours, terms.escape ? &escape_ : nullptr}, routes, cdg_),
        counter_(routes) {
    if (reserves_) escape_.reserve(cdg_);
    cdg_.limit_search(kSearchLimit);
  }
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  std::size_t size() const { return destinations_.size(); }
  /// False after a tree could not be routed on the terms.
  bool holds() const { return holds_; }
  std::size_t detours() const { return detours_; }

  /// A multicast tree that fits beside the paths; nothing if none was reserved nor is found.
  std::optional<SpanningTree> multicast_tree() const {
    if (reserves_) return escape_.tree();
    common::AcyclicCdg cdg = cdg_;
    const SpanningTree& any = escape_.tree();
    const SwitchId root = multicast::spanning_root(routes_.channels(), any.order.front(), any.order, cdg);
    if (root.is_none()) return std::nullopt;
    return multicast::acyclic_tree(routes_.channels(), root, cdg);
  }

  /// Routes the trees to the i-th destination.
  void route(std::size_t i, ChannelLoads& loads) {
    const auto [begin, end] = routes_.trees_to(destinations_[i]);
    for (std::size_t tree = begin; tree < end && holds_; ++tree) {
      counter_.remove(tree, loads);
      route_tree(tree, loads);
      counter_.add(tree, loads);
    }
  }

 private:
  void route_tree(std::size_t tree, const ChannelLoads& loads) {
    if (nue_.keep(tree)) return;
    const Reach reach = nue_.route(tree, loads);
    if (reach == Reach::minimal) return;
    ++detours_;
    holds_ = terms_.detours && (reach != Reach::partial || terms_.escape);
  }

  Terms terms_;
  bool reserves_;
  std::vector<SwitchId> destinations_;
  Routes& routes_;
  common::AcyclicCdg cdg_;
  EscapeTree escape_;
  Nue nue_;
  PathCounter counter_;
  bool holds_ = true;
  std::size_t detours_ = 0;
};

/// Destinations of each part, those with hosts first. Behind an escape tree the others are ordered from its
/// root outwards, where they fit best.
std::vector<std::vector<SwitchId>> destinations(const Start& start, const Terms& terms,
                                                const Partition& partition) {
  std::vector<std::vector<SwitchId>> lists(partition.centres.size());
  for (std::uint32_t s = 0; s < partition.part_of.size(); ++s)
    lists[partition.part_of[s]].push_back(SwitchId(s));
  for (std::size_t p = 0; p < lists.size(); ++p)
    std::ranges::stable_sort(lists[p], {}, [&](SwitchId sw) {
      const bool no_hosts = start.routes.view().end_ports_of(sw).empty();
      return std::pair(no_hosts, terms.escape ? start.hops.at(partition.centres[p], sw) : 0);
    });
  return lists;
}

/// Routes the trees of `routes`, a copy of the minimal ones; nothing if that fails on the terms.
std::optional<VirtualLayers> attempt(const Start& start, const Terms& terms, Routes& routes) {
  const Partition partition = partition_destinations(start.hops, terms.layers, terms.variant);
  const auto lists = destinations(start, terms, partition);
  std::deque<Layer> layers;
  std::size_t rounds = 0;
  for (std::size_t p = 0; p < lists.size(); ++p) {
    layers.emplace_back(start, terms, partition.centres[p], p == 0, lists[p], routes);
    rounds = std::max(rounds, lists[p].size());
  }
  ChannelLoads loads = start.loads;
  LoadRounds load_rounds(loads, layers.size());
  for (std::size_t i = 0; i < rounds; ++i) {
    load_rounds.run(layers.size(), [&](std::size_t l, ChannelLoads& own) {
      if (i < layers[l].size()) layers[l].route(i, own);
    });
    if (!std::ranges::all_of(layers, &Layer::holds)) return std::nullopt;
  }
  VirtualLayers result{.count = layers.size(), .layer_of = partition.part_of};
  if (auto tree = layers.front().multicast_tree()) result.trees.push_back(std::move(*tree));
  for (const Layer& layer : layers) result.detours += layer.detours();
  return result;
}

}  // namespace

std::size_t count_detours(const HopMatrix& hops, const Routes& routes) {
  const common::Channels& channels = routes.channels();
  std::size_t detours = 0;
  for (std::uint32_t tree = 0; tree < routes.tree_count(); ++tree) {
    const SwitchId to = routes.tree(tree).to;
    const auto is_longer = [&](SwitchId from) {
      std::size_t taken = 0;
      for (SwitchId at = from; at != to && routes.sends(tree, at); at = channels.to(routes.next(tree, at)))
        ++taken;
      return routes.sends(tree, from) && taken > hops.at(from, to);
    };
    detours += std::ranges::any_of(routes.sources(), is_longer) ? 1 : 0;
  }
  return detours;
}

VirtualLayers assign_virtual_layers(const HopMatrix& hops, std::size_t most, std::size_t variant,
                                    Routes& routes, bool needs_tree) {
  common::TopologicalOrder order = topological_order(routes);
  if (!order.has_cycle && !needs_tree)
    return {.count = 1, .layer_of = std::vector<std::uint8_t>(hops.switch_count)};
  const Start start{hops, routes, std::move(order), count_loads(routes)};
  Routes routed = routes;
  std::optional<VirtualLayers> layers;
  const auto try_terms = [&](Terms terms) {
    routed = routes;
    terms.variant = variant;
    layers = attempt(start, terms, routed);
    if (!layers || !layers->trees.empty()) return layers.has_value();
    // No multicast tree fits: once more with one reserved.
    routed = routes;
    terms.multicast = true;
    layers = attempt(start, terms, routed);
    return layers.has_value();
  };
  for (std::size_t count = 1; count < most && !layers; count *= 2)
    if (!try_terms({.layers = count})) try_terms({.layers = count, .escape = true});
  if (!layers && !try_terms({.layers = most, .detours = true}))
    try_terms({.layers = most, .detours = true, .escape = true});
  routes = std::move(routed);
  return *layers;
}

}  // namespace rch::engines::dfsssp
