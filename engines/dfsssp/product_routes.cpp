#include "engines/dfsssp/product_routes.h"

#include <algorithm>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include <tbb/enumerable_thread_specific.h>

#include "base/parallel.h"
#include "engines/common/acyclic_cdg.h"
#include "engines/common/distances.h"
#include "engines/dfsssp/escape_tree.h"
#include "engines/dfsssp/partition.h"
#include "engines/dfsssp/product_detours.h"
#include "engines/dfsssp/product_lines.h"

// Let the factors be routed in their order, each in its own layers. A channel dependency leads from a channel
// of a factor to one of the same factor or of a later one. So a cycle stays in one factor, where the layer
// excludes it. A layer of the product is one layer of each factor.
//
// A multicast tree for layer 0 leads to its root factor by factor, and in each factor along a tree that is
// reserved in layer 0 there. Away from the root its packets turn from a later factor to an earlier one, but
// only at the coordinate that the root has in the earlier one. A cycle with such turns leaves that coordinate
// by channels of the factor and comes back to it. So it is a cycle of the factor, if every channel to the
// root's coordinate depends on every channel from there: these dependencies are reserved as well.

namespace rch::engines::dfsssp {
namespace {

using common::ChannelId;

constexpr std::uint8_t kMostSlBits = 4;

SwitchId sw(std::size_t index) { return SwitchId(static_cast<std::uint32_t>(index)); }

/// One factor as a small graph, with a link for each edge.
fabric::SwitchGraph graph_of(const Product::Factor& factor) {
  std::vector<fabric::SwitchGraph::Edge> edges;
  std::vector<std::uint8_t> ports(factor.size);
  for (const auto& [a, b] : factor.edges) {
    const PortNum at_a(++ports[a]), at_b(++ports[b]);
    edges.push_back({SwitchId(a), at_a, SwitchId(b), at_b});
    edges.push_back({SwitchId(b), at_b, SwitchId(a), at_a});
  }
  return {factor.size, std::move(edges)};
}

/// Routes all pairs of coordinates of one factor.
class FactorRoutes {
 public:
  explicit FactorRoutes(const Product::Factor& factor)
      : graph_(graph_of(factor)),
        channels_(graph_),
        hops_(common::distances(graph_)),
        next_(size() * size(), ChannelId::none()),
        crosses_(size() * size()) {
    select_paths();
  }

  std::size_t size() const { return hops_.switch_count; }
  SwitchId root() const { return root_; }
  SwitchId parent(SwitchId at) const { return tree_->tree().parent[at.index()]; }
  /// The coordinate that packets go to next.
  SwitchId next(SwitchId at, SwitchId to) const { return channels_.to(channel(at, to)); }
  /// By coordinates from and to: 1 for pairs on the second layer.
  const std::vector<std::uint8_t>& crosses() const { return crosses_; }
  /// True if packets on a layer, 0 or 1, may hold the channel between the first two coordinates and request
  /// that between the last two.
  bool allows(std::size_t layer, SwitchId from, SwitchId at, SwitchId to) const {
    ChannelId entered = ChannelId::none(), requested = ChannelId::none();
    channels_.for_each_leaving(at, [&](ChannelId c) {
      if (channels_.to(c) == from) entered = channels_.back(c);
      if (channels_.to(c) == to) requested = c;
    });
    return from != to && layers_[layer].has(entered, requested);
  }
  bool has_two_layers() const { return std::ranges::find(crosses_, 1) != crosses_.end(); }

  SwitchId centre() const { return partition_destinations(hops_, 1).centres.front(); }
  /// The centre, or the first coordinate from which the multicast tree lacks fewer links: that of a ring
  /// leaves one edge out.
  SwitchId root_without_missing(const Product::Factor& factor) const {
    const std::uint32_t most = *std::ranges::max_element(factor.joined);
    std::vector<std::uint32_t> missing(size() * size());
    for (std::size_t e = 0; e < factor.edges.size(); ++e) {
      const auto [a, b] = factor.edges[e];
      missing[a * size() + b] = missing[b * size() + a] = most - factor.joined[e];
    }
    const auto missing_from = [&](SwitchId root) {
      std::uint64_t sum = 0;
      const EscapeTree tree(channels_, root);
      for (std::size_t s = 0; s < size(); ++s)
        if (const SwitchId parent = tree.tree().parent[s]; !parent.is_none())
          sum += missing[s * size() + parent.index()];
      return sum;
    };
    SwitchId best = centre();
    std::uint64_t fewest = missing_from(best);
    for (std::size_t s = 0; s < size() && fewest > 0; ++s)
      if (const std::uint64_t count = missing_from(sw(s)); count < fewest) {
        best = sw(s);
        fewest = count;
      }
    return best;
  }
  /// A root from which divide() puts the same pairs on the second layer, or none().
  SwitchId root_of(const std::vector<std::uint8_t>& crosses) {
    for (std::size_t s = 0; s < size(); ++s)
      if (divide(sw(s)) && crosses_ == crosses) return sw(s);
    return SwitchId::none();
  }

  /// Puts all pairs of coordinates on one layer, or divides them into two, beside a multicast tree. False if
  /// a coordinate is not reached, or if two layers do not suffice.
  bool divide(SwitchId root) {
    root_ = root;
    tree_.emplace(channels_, root);
    std::ranges::fill(crosses_, 0);
    begin_layers();
    if (for_each_pair([&](SwitchId a, SwitchId b) { return try_add(a, b, layers_[0]); })) return true;
    begin_layers();
    // Paths on layer 0 follow the tree where they can: those that detours add beside a missing link or switch
    // then close no cycle with its packets.
    return for_each_pair(
               [&](SwitchId a, SwitchId b) { return !is_in_tree(a, b) || try_add(a, b, layers_[0]); }) &&
           for_each_pair([&](SwitchId a, SwitchId b) {
             if (is_in_tree(a, b)) return true;
             const std::size_t layer = try_add(a, b, layers_[1]) ? 1 : 0;
             crosses_[a.index() * size() + b.index()] = static_cast<std::uint8_t>(layer);
             return layer == 1 || try_add(a, b, layers_[0]);
           });
  }

 private:
  ChannelId channel(SwitchId at, SwitchId to) const { return next_[to.index() * size() + at.index()]; }

  /// Selects the minimal next hops with the least load on the path, for one destination after the other. In
  /// further rounds each is selected anew beside all others, as the first ones did not know their loads.
  void select_paths() {
    constexpr int kRounds = 4;
    std::vector<std::uint64_t> loads(channels_.size()), cost(size());
    for (int round = 0; round < kRounds; ++round)
      for (std::size_t to = 0; to < size(); ++to) {
        const std::vector<SwitchId> outwards = outwards_from(sw(to));
        if (round > 0) add_flows(outwards, ~std::uint64_t{0}, loads);
        cost[to] = 0;
        for (const SwitchId at : outwards)
          if (at != sw(to)) next_[to * size() + at.index()] = least_loaded(at, sw(to), loads, cost);
        add_flows(outwards, 1, loads);
      }
  }
  /// Adds the flows from all coordinates to the first one, modulo 2^64.
  void add_flows(const std::vector<SwitchId>& outwards, std::uint64_t sign,
                 std::vector<std::uint64_t>& loads) const {
    const SwitchId to = outwards.front();
    std::vector<std::uint64_t> flow(size(), 1);
    for (auto at = outwards.rbegin(); *at != to; ++at) {
      const ChannelId c = channel(*at, to);
      loads[c.index()] += sign * flow[at->index()];
      flow[channels_.to(c).index()] += flow[at->index()];
    }
  }
  std::vector<SwitchId> outwards_from(SwitchId to) const {
    std::vector<SwitchId> order;
    for (std::size_t at = 0; at < size(); ++at)
      if (hops_.at(to, sw(at)) != HopMatrix::kUnknown) order.push_back(sw(at));
    std::ranges::stable_sort(order, {}, [&](SwitchId at) { return hops_.at(to, at); });
    return order;
  }
  ChannelId least_loaded(SwitchId at, SwitchId to, const std::vector<std::uint64_t>& loads,
                         std::vector<std::uint64_t>& cost) const {
    ChannelId best = ChannelId::none();
    channels_.for_each_leaving(at, [&](ChannelId c) {
      if (hops_.at(to, channels_.to(c)) + 1 != hops_.at(to, at)) return;
      const std::uint64_t through = loads[c.index()] + cost[channels_.to(c).index()];
      if (!best.is_none() && through >= cost[at.index()]) return;
      best = c;
      cost[at.index()] = through;
    });
    return best;
  }

  /// Reserves what multicast packets need on layer 0.
  void begin_layers() {
    std::vector<ChannelId> order;
    for (std::uint32_t c = 0; c < channels_.size(); ++c) order.push_back(ChannelId(c));
    layers_.clear();
    for (int layer = 0; layer < 2; ++layer) layers_.emplace_back(channels_, order);
    tree_->reserve(layers_[0]);
    channels_.for_each_leaving(root_, [&](ChannelId c) { layers_[0].try_add(channels_.back(c), c); });
  }
  /// Calls f(from, to) for all pairs with a path while it returns true. False if it did not, or if there is a
  /// pair without a path.
  template <class F>
  bool for_each_pair(F&& f) const {
    for (std::uint32_t to = 0; to < size(); ++to)
      for (std::uint32_t from = 0; from < size(); ++from) {
        const SwitchId a(from), b(to);
        if (a != b && (channel(a, b).is_none() || !f(a, b))) return false;
      }
    return true;
  }
  /// True if the path between two coordinates has no edge beside the multicast tree.
  bool is_in_tree(SwitchId from, SwitchId to) const {
    for (SwitchId at = from; at != to; at = next(at, to))
      if (parent(at) != next(at, to) && parent(next(at, to)) != at) return false;
    return true;
  }

  bool try_add(SwitchId from, SwitchId to, common::AcyclicCdg& layer) const {
    return layer.try_add_all([&](auto&& add) {
      ChannelId c = channel(from, to);
      for (SwitchId at = channels_.to(c); at != to; at = channels_.to(c))
        add(std::exchange(c, channel(at, to)), channel(at, to));
    });
  }

  fabric::SwitchGraph graph_;
  common::Channels channels_;
  HopMatrix hops_;
  SwitchId root_ = SwitchId::none();
  std::optional<EscapeTree> tree_;
  std::deque<common::AcyclicCdg> layers_;
  std::vector<ChannelId> next_;        ///< by destination, then coordinate
  std::vector<std::uint8_t> crosses_;  ///< by source, then destination
};

/// Writes the paths of the factors into trees over the fabric.
class ProductRoutes {
 public:
  ProductRoutes(const Product& product, const std::deque<FactorRoutes>& factors, Routes& routes)
      : product_(product), factors_(factors), routes_(routes), channels_(routes.channels()) {
    for (const Product::Factor& factor : product.factors) {
      first_place_.push_back(places_);
      places_ += factor.size;
    }
    neighbors_.resize(channels_.switch_count() * places_);
    for (std::uint32_t c = 0; c < channels_.size(); ++c) add_channel(ChannelId(c));
  }

  /// Returns where a link is missing, in order.
  std::vector<MissingHop> route() {
    routes_.clear();
    constexpr std::size_t kGrain = 16;
    tbb::enumerable_thread_specific<std::vector<MissingHop>> missing;
    parallel_ranges(routes_.tree_count(), kGrain, [&](std::size_t begin, std::size_t end) {
      Towards towards(factors_.size());
      for (auto tree = static_cast<std::uint32_t>(begin); tree < end; ++tree)
        route_tree(tree, towards, missing.local());
    });
    std::vector<MissingHop> all;
    for (const std::vector<MissingHop>& some : missing) all.insert(all.end(), some.begin(), some.end());
    std::ranges::sort(all);
    return all;
  }

  /// A tree for multicast, and the dependencies that paths on intact links and multicast packets may have, by
  /// layer.
  struct Reserved {
    SpanningTree tree;
    std::vector<common::DependencyGraph> layers;
  };
  /// Nothing if a switch of the tree that lacks its link has no other, or if paths in damaged lines close a
  /// cycle.
  std::optional<Reserved> reserve(std::size_t layers, const DamagedLines& lines) const {
    Reserved reserved{{{}, std::vector<SwitchId>(channels_.switch_count(), SwitchId::none())}, {}};
    for (std::size_t layer = 0; layer < layers; ++layer)
      list_dependencies(layer, lines, reserved.layers.emplace_back(channels_));
    const auto has_cycle = [](const common::DependencyGraph& graph) {
      return common::topological_order(graph).has_cycle;
    };
    if (!lines.empty() && std::ranges::any_of(reserved.layers, has_cycle)) return std::nullopt;
    common::AcyclicCdg cdg(channels_, common::topological_order(reserved.layers.front()).channels);
    std::vector<SwitchId> orphans = find_parents(lines, reserved.tree);
    add_all(reserved.layers.front(), cdg);
    for (const SwitchId orphan : orphans)
      if (!adopt(orphan, cdg, reserved.tree)) return std::nullopt;
    if (!add_tree(reserved.tree, cdg) || !sort(reserved.tree)) return std::nullopt;
    for_each_branch_pair(reserved.tree,
                         [&](ChannelId c, ChannelId next) { reserved.layers.front().add(c, next); });
    return reserved;
  }

 private:
  /// Channels to one neighbour, by their numbers at the switch.
  struct Link {
    std::uint8_t first = 0, count = 0;
  };
  /// By factor, then coordinate: the place of the neighbour that is next.
  using Towards = std::vector<std::vector<std::uint32_t>>;

  void add_channel(ChannelId c) {
    const SwitchId from = channels_.from(c), to = channels_.to(c);
    for (std::size_t f = 0; f < factors_.size(); ++f) {
      const std::vector<std::uint16_t>& coordinate = product_.factors[f].coordinate;
      if (coordinate[from.index()] == coordinate[to.index()]) continue;
      Link& link = neighbors_[from.index() * places_ + first_place_[f] + coordinate[to.index()]];
      if (link.count++ == 0) link.first = static_cast<std::uint8_t>(c.value - channels_.first(from).value);
    }
  }

  /// The first in which a switch and the root of the multicast tree differ.
  std::size_t differing_factor(std::size_t s) const {
    std::size_t f = 0;
    while (f < factors_.size() && product_.factors[f].coordinate[s] == factors_[f].root().value) ++f;
    return f;
  }

  void route_tree(std::uint32_t tree, Towards& towards, std::vector<MissingHop>& missing) const {
    const SwitchId to = routes_.tree(tree).to;
    for (std::size_t f = 0; f < factors_.size(); ++f) {
      const SwitchId at_end(product_.factors[f].coordinate[to.index()]);
      towards[f].resize(factors_[f].size());
      for (std::size_t at = 0; at < factors_[f].size(); ++at)
        if (sw(at) != at_end) towards[f][at] = first_place_[f] + factors_[f].next(sw(at), at_end).value;
      towards[f][at_end.index()] = places_;
    }
    const std::span<std::uint8_t> outputs = routes_.outputs(tree);
    for (std::size_t s = 0; s < outputs.size(); ++s) {
      std::uint32_t place = places_;
      for (std::size_t f = 0; f < factors_.size() && place == places_; ++f)
        place = towards[f][product_.factors[f].coordinate[s]];
      if (place == places_) {
        outputs[s] = Routes::kNoOutput;
        continue;
      }
      const Link& link = neighbors_[s * places_ + place];
      if (link.count == 0)
        missing.push_back({tree, sw(s)});
      else
        outputs[s] = static_cast<std::uint8_t>(link.first + (link.count == 1 ? 0 : tree % link.count));
    }
  }

  /// The factor of a channel.
  std::size_t factor_of(ChannelId c) const {
    std::size_t f = 0;
    while (coordinate(f, channels_.from(c)) == coordinate(f, channels_.to(c))) ++f;
    return f;
  }
  SwitchId coordinate(std::size_t f, SwitchId s) const {
    return SwitchId(product_.factors[f].coordinate[s.index()]);
  }

  /// Lists the dependencies of unicast packets. They lead from a factor to a later one, or inside a factor as
  /// its layer allows.
  void list_dependencies(std::size_t layer, const DamagedLines& lines, common::DependencyGraph& graph) const {
    std::vector<std::size_t> layer_of;                      // by factor
    std::vector<const std::vector<std::uint8_t>*> crosses;  // by factor
    for (const FactorRoutes& factor : factors_) {
      crosses.push_back(&factor.crosses());
      layer_of.push_back(factor.has_two_layers() ? layer % 2 : 0);
      if (factor.has_two_layers()) layer /= 2;
    }
    for (std::uint32_t i = 0; i < channels_.size(); ++i) {
      const ChannelId c(i);
      const SwitchId at = channels_.to(c);
      const std::size_t f = factor_of(c);
      channels_.for_each_leaving(at, [&](ChannelId next) {
        const std::size_t g = factor_of(next);
        if (f < g || (f == g && factors_[f].allows(layer_of[f], coordinate(f, channels_.from(c)),
                                                   coordinate(f, at), coordinate(f, channels_.to(next)))))
          graph.add(c, next);
      });
    }
    lines.list_dependencies(crosses, layer_of, graph);
  }
  void add_all(const common::DependencyGraph& graph, common::AcyclicCdg& cdg) const {
    for (std::uint32_t c = 0; c < channels_.size(); ++c)
      for (std::size_t i = 0; i < graph.degree(ChannelId(c)); ++i)
        if (const ChannelId next = graph.successor(ChannelId(c), i); !next.is_none())
          cdg.try_add(ChannelId(c), next);
  }

  /// Returns the switches that lack the link to their parent.
  std::vector<SwitchId> find_parents(const DamagedLines& lines, SpanningTree& tree) const {
    std::vector<SwitchId> orphans;
    for (std::uint32_t s = 0; s < channels_.switch_count(); ++s) {
      const std::size_t f = differing_factor(s);
      if (f == factors_.size()) {
        tree.order.push_back(SwitchId(s));
        continue;
      }
      if (const SwitchId next = lines.next(f, SwitchId(s), factors_[f].root().index()); !next.is_none()) {
        tree.parent[s] = next;
        continue;
      }
      const SwitchId parent = factors_[f].parent(coordinate(f, SwitchId(s)));
      const Link& link = neighbors_[s * places_ + first_place_[f] + parent.index()];
      if (link.count == 0)
        orphans.push_back(SwitchId(s));
      else
        tree.parent[s] = channels_.to(ChannelId(channels_.first(SwitchId(s)).value + link.first));
    }
    return orphans;
  }

  /// Gives a switch a parent that is not behind it, so that the tree fits.
  bool adopt(SwitchId orphan, const common::AcyclicCdg& cdg, SpanningTree& tree) const {
    bool found = false;
    channels_.for_each_leaving(orphan, [&](ChannelId c) {
      SwitchId above = channels_.to(c);
      while (!above.is_none() && above != orphan) above = tree.parent[above.index()];
      if (found || above == orphan) return;
      tree.parent[orphan.index()] = channels_.to(c);
      common::AcyclicCdg with_tree = cdg;
      found = add_tree(tree, with_tree);
    });
    return found;
  }
  bool add_tree(const SpanningTree& tree, common::AcyclicCdg& cdg) const {
    return cdg.try_add_all([&](auto&& add) { for_each_branch_pair(tree, add); });
  }
  template <class F>
  void for_each_branch_pair(const SpanningTree& tree, F&& f) const {
    const auto is_branch = [&](ChannelId c) {
      const SwitchId from = channels_.from(c), to = channels_.to(c);
      return tree.parent[from.index()] == to || tree.parent[to.index()] == from;
    };
    for (std::uint32_t i = 0; i < channels_.size(); ++i) {
      const ChannelId c(i);
      if (!is_branch(c)) continue;
      channels_.for_each_leaving(channels_.to(c), [&](ChannelId next) {
        if (channels_.to(next) != channels_.from(c) && is_branch(next)) f(c, next);
      });
    }
  }
  /// Lists the switches of the tree from its root; false if some are not in it.
  static bool sort(SpanningTree& tree) {
    std::vector<std::vector<SwitchId>> children(tree.parent.size());
    for (std::uint32_t s = 0; s < tree.parent.size(); ++s)
      if (!tree.parent[s].is_none()) children[tree.parent[s].index()].push_back(SwitchId(s));
    for (std::size_t i = 0; i < tree.order.size(); ++i) {
      const std::vector<SwitchId>& next = children[tree.order[i].index()];
      tree.order.insert(tree.order.end(), next.begin(), next.end());
    }
    return tree.order.size() == tree.parent.size();
  }

  const Product& product_;
  const std::deque<FactorRoutes>& factors_;
  Routes& routes_;
  const common::Channels& channels_;
  std::vector<std::uint32_t> first_place_;  ///< by factor: one place for each of its coordinates
  std::uint32_t places_ = 0;
  std::vector<Link> neighbors_;  ///< by switch, then place
};

using Factors = std::deque<FactorRoutes>;

/// Nothing if a factor has too many edges for its search.
std::optional<Factors> route_factors(const Product& product) {
  constexpr std::size_t kMostEdges = 50'000;
  constexpr std::size_t kMostDegree = 250;
  Factors factors;
  for (const Product::Factor& factor : product.factors) {
    std::vector<std::size_t> degree(factor.size);
    for (const auto& [a, b] : factor.edges)
      if (++degree[a] > kMostDegree || ++degree[b] > kMostDegree) return std::nullopt;
    if (factor.edges.size() > kMostEdges) return std::nullopt;
    factors.emplace_back(factor);
  }
  return factors;
}

/// Roots of the multicast tree, by factor, in the order in which they are tried: those of the installed
/// layers, the centres, and those that avoid missing links.
std::vector<std::vector<SwitchId>> select_roots(const Product& product, const FactorLayers& installed,
                                                Factors& factors) {
  std::vector<SwitchId> as_installed, centres, without_missing;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    centres.push_back(factors[f].centre());
    without_missing.push_back(factors[f].root_without_missing(product.factors[f]));
    const SwitchId root =
        installed.empty() || installed[f].empty() ? SwitchId::none() : factors[f].root_of(installed[f]);
    as_installed.push_back(root.is_none() ? centres.back() : root);
  }
  std::vector<std::vector<SwitchId>> all;
  for (std::vector<SwitchId>& roots : {std::ref(as_installed), std::ref(centres), std::ref(without_missing)})
    if (std::ranges::find(all, roots) == all.end()) all.push_back(std::move(roots));
  return all;
}

std::optional<VirtualLayers> divide(const Product& product, const std::vector<SwitchId>& roots,
                                    std::size_t most, Factors& factors) {
  VirtualLayers layers;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    if (!factors[f].divide(roots[f])) return std::nullopt;
    if (!factors[f].has_two_layers()) continue;
    const auto bit = static_cast<std::uint8_t>(layers.digits.size());
    layers.count *= 2;
    if (bit == kMostSlBits || layers.count > most) return std::nullopt;
    const Product::Factor& factor = product.factors[f];
    layers.digits.push_back({bit, factor.size, factor.coordinate, factors[f].crosses()});
  }
  return layers;
}

}  // namespace

std::optional<VirtualLayers> route_product(const Product& product, const FactorLayers& installed,
                                           const HopMatrix& hops, std::size_t most, Routes& routes) {
  std::optional<Factors> factors = route_factors(product);
  if (!factors) return std::nullopt;
  for (const std::vector<SwitchId>& roots : select_roots(product, installed, *factors)) {
    std::optional<VirtualLayers> layers = divide(product, roots, most, *factors);
    if (!layers) continue;
    ProductRoutes paths(product, *factors, routes);
    DamagedLines lines(product, routes.channels());
    auto reserved = paths.reserve(layers->count, lines);
    if (!reserved && !lines.empty()) {
      lines.forget();
      reserved = paths.reserve(layers->count, lines);
    }
    if (!reserved) continue;
    layers->trees = {std::move(reserved->tree)};
    for (const bool one_way : {false, true}) {
      const std::vector<MissingHop> missing = paths.route();
      if (missing.empty() || lead_around(missing, hops, lines, one_way, reserved->layers, *layers, routes))
        return layers;
    }
  }
  return std::nullopt;
}

}  // namespace rch::engines::dfsssp
