#include "engines/dfsssp/lanes.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "engines/dfsssp/dependency_order.h"
#include "engines/dfsssp/growth.h"
#include "engines/dfsssp/loads.h"
#include "engines/dfsssp/regions.h"
#include "engines/dfsssp/reserved_tree.h"
#include "engines/multicast/fitted.h"

namespace rch::engines::dfsssp {
namespace {

/// What lies this far back in the order of a lane's channels is given up for lost: few such dependencies fit,
/// and looking for them takes most of the time on large fabrics (docs/decisions/0007).
constexpr std::size_t kLongSearch = 200;
/// Roots of trees for multicast that are tried.
constexpr std::uint32_t kTreeRoots = 8;

/// What an attempt to lay all trees may do.
struct Terms {
  std::size_t lanes = 1;
  bool detours = false;    ///< paths may be longer than need be
  bool reserve = false;    ///< a spanning tree of each lane is kept free, so that every tree can be laid
  bool multicast = false;  ///< one of lane 0 is
};

/// What every attempt starts from: the shortest trees.
struct Start {
  const HopMatrix& hops;
  const Routes& routes;
  DependencyOrder order;
  Loads loads;
};

/// The destinations of one region, laid one after the other in their lane.
class Lane {
 public:
  /// Keeps references to `routes` and to what `start` refers to.
  Lane(const Start& start, const Terms& terms, SwitchId centre, bool first,
       std::vector<SwitchId> destinations, Routes& routes)
      : terms_(terms),
        keeps_free_(terms.reserve || (terms.multicast && first)),
        destinations_(std::move(destinations)),
        routes_(routes),
        dependencies_(routes.channels(), start.order.channels),
        reserved_(routes.channels(), centre),
        growth_(start.hops, {terms.detours, terms.reserve ? &reserved_ : nullptr}, routes, dependencies_),
        counter_(routes) {
    if (keeps_free_) reserved_.reserve(dependencies_);
    dependencies_.limit_search(kLongSearch);
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  std::size_t size() const { return destinations_.size(); }
  /// False after a tree could not be laid on the terms.
  bool holds() const { return holds_; }
  std::size_t detours() const { return detours_; }

  /// A tree that multicast may take among the routes; nothing if none was kept free nor fits.
  std::optional<SpanningTree> tree() const {
    if (keeps_free_) return reserved_.tree();
    const auto switches = static_cast<std::uint32_t>(routes_.channels().switch_count());
    const std::size_t all = reserved_.tree().order.size();
    for (std::uint32_t i = 0; i < std::min(switches, kTreeRoots); ++i) {
      const SwitchId root = i == 0 ? reserved_.tree().order.front() : SwitchId(i * (switches / kTreeRoots));
      common::AcyclicDependencies among = dependencies_;
      SpanningTree tree = multicast::fit(routes_.channels(), root, among);
      if (tree.order.size() == all) return tree;
    }
    return std::nullopt;
  }

  /// Lays the trees to the i-th destination.
  void lay(std::size_t i, Loads& loads) {
    const auto [begin, end] = routes_.trees_to(destinations_[i]);
    for (std::size_t tree = begin; tree < end && holds_; ++tree) {
      counter_.take_back(tree, loads);
      lay_tree(tree, loads);
      counter_.add(tree, loads);
    }
  }

 private:
  void lay_tree(std::size_t tree, const Loads& loads) {
    if (growth_.keep(tree)) return;
    const Reach reach = growth_.grow(tree, loads);
    if (reach == Reach::shortest) return;
    ++detours_;
    holds_ = terms_.detours && (reach != Reach::partial || terms_.reserve);
  }

  Terms terms_;
  bool keeps_free_;
  std::vector<SwitchId> destinations_;
  Routes& routes_;
  common::AcyclicDependencies dependencies_;
  ReservedTree reserved_;
  Growth growth_;
  PathCounter counter_;
  bool holds_ = true;
  std::size_t detours_ = 0;
};

/// Destinations of each region, those with hosts first. Where a spanning tree is reserved the others follow
/// it: from its root outwards they fit best.
std::vector<std::vector<SwitchId>> destinations(const Start& start, const Terms& terms,
                                                const Regions& regions) {
  std::vector<std::vector<SwitchId>> lists(regions.centres.size());
  for (std::uint32_t s = 0; s < regions.of.size(); ++s) lists[regions.of[s]].push_back(SwitchId(s));
  for (std::size_t r = 0; r < lists.size(); ++r)
    std::ranges::stable_sort(lists[r], {}, [&](SwitchId sw) {
      const bool no_hosts = start.routes.view().end_ports_of(sw).empty();
      return std::pair(no_hosts, terms.reserve ? start.hops.at(regions.centres[r], sw) : 0);
    });
  return lists;
}

/// Lays copies of the trees into `routes`; nothing if that cannot be done on the terms.
std::optional<Lanes> attempt(const Start& start, const Terms& terms, Routes& routes) {
  const Regions regions = cut_into_regions(start.hops, terms.lanes);
  const auto lists = destinations(start, terms, regions);
  std::deque<Lane> lanes;
  std::size_t rounds = 0;
  for (std::size_t r = 0; r < lists.size(); ++r) {
    lanes.emplace_back(start, terms, regions.centres[r], r == 0, lists[r], routes);
    rounds = std::max(rounds, lists[r].size());
  }
  Loads loads = start.loads;
  LoadBatches batches(loads, lanes.size());
  for (std::size_t i = 0; i < rounds; ++i) {
    batches.run(lanes.size(), [&](std::size_t r, Loads& own) {
      if (i < lanes[r].size()) lanes[r].lay(i, own);
    });
    if (!std::ranges::all_of(lanes, &Lane::holds)) return std::nullopt;
  }
  Lanes result{lanes.size(), regions.of, 0, {}};
  if (auto tree = lanes.front().tree()) result.trees.push_back(std::move(*tree));
  for (const Lane& lane : lanes) result.detours += lane.detours();
  return result;
}

}  // namespace

Lanes keep_apart(const HopMatrix& hops, LaneRange range, Routes& routes) {
  DependencyOrder order = order_by_dependencies(routes);
  if (!order.has_circle) return {1, std::vector<std::uint8_t>(hops.switch_count), 0, {}};
  const Start start{hops, routes, std::move(order), count_loads(routes)};
  Routes laid = routes;
  std::optional<Lanes> lanes;
  const auto fits = [&](Terms terms) {
    laid = routes;
    lanes = attempt(start, terms, laid);
    if (!lanes || !lanes->trees.empty()) return lanes.has_value();
    // No room was left for multicast: the same once more, and room kept for it.
    laid = routes;
    terms.multicast = true;
    lanes = attempt(start, terms, laid);
    return lanes.has_value();
  };
  for (std::size_t count = range.least; count < range.most && !lanes; count *= 2)
    if (!fits({.lanes = count})) fits({.lanes = count, .reserve = true});
  if (!lanes && !fits({.lanes = range.most, .detours = true}))
    fits({.lanes = range.most, .detours = true, .reserve = true});
  routes = std::move(laid);
  return *lanes;
}

}  // namespace rch::engines::dfsssp
