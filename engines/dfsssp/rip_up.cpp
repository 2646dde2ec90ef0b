#include "engines/dfsssp/rip_up.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "engines/common/acyclic_cdg.h"
#include "engines/dfsssp/layer_cdgs.h"
#include "engines/dfsssp/partition.h"
#include "engines/dfsssp/placed_paths.h"
#include "engines/multicast/acyclic_tree.h"

// All installed paths that still arrive have a place in their layers from the beginning. A lost path takes
// the cheapest way through its layer, and dependencies that would close a cycle cost most. Where it closes
// one, the paths that need some dependency of the cycle lose their places, and so do paths of the same tree
// that passed a switch with a new entry and do not fit any more. They wait at the end of the queue. What was
// ripped up, and what closed cycles, costs more from then on, so the same paths do not displace each other
// for ever.
//
// Then paths that use too full a channel are routed again one by one. Others may have to follow; if the sum
// of the fourth powers of the loads has not fallen when all have a place, everything is as before.

namespace rch::engines::dfsssp {
namespace {

using common::ChannelId;

constexpr std::size_t kMostRippedChannels = 4096;
constexpr std::size_t kMostRippedPaths = 400'000;
/// Channels and paths looked at in one search, by channel: half a second on a torus of 64 switches.
constexpr std::uint64_t kMostRipUpWork = 160'000;

/// What a path pays beside hops and loads.
struct Prices {
  double moved;       ///< for a path of the same tree that has to follow, each time that it was ripped up
  double dependency;  ///< for one that its layer has not
  double cycle;       ///< for a dependency that closes a cycle,
  double refusal;     ///< and each time that it was seen to
  bool tree_first;    ///< paths make room for the installed multicast tree from the beginning
};
/// Of searches that follow one another until all paths have a place: which prices lead to an end depends on
/// the fabric.
constexpr std::array kPrices{Prices{1, 1, 15, 1, true}, Prices{1, 0.5, 10, 1, false},
                             Prices{1, 1, 6, 1, true}, Prices{0.6, 1, 10, 0.6, false}};

class RipUp {
 public:
  RipUp(const HopMatrix& hops, const InstalledLayers& installed, std::size_t layers, const Prices& prices,
        std::uint64_t enough, Routes& routes)
      : hops_(hops),
        installed_(installed),
        prices_(prices),
        enough_(std::max<std::uint64_t>(enough, 1)),
        channels_(routes.channels()),
        paths_(installed.of_pair, layers, routes),
        ripped_(routes.tree_count() * channels_.switch_count(), 1),
        refused_(layers * channels_.dependency_count()),
        passing_(channels_.switch_count()) {}

  /// False: some path has no place.
  bool place_all() {
    for (std::uint32_t tree = 0; tree < routes().tree_count(); ++tree) place_installed(tree);
    if (!prices_.tree_first && !place_open()) return false;
    return add_multicast_tree() && place_open();
  }

  /// Takes paths off channels that carry more than enough.
  void even_out() {
    most_work_ = work() + kMostRipUpWork * channels_.size();
    for (const bool ejects : {false, true})
      while (work() < most_work_ && relieve_some(ejects)) {
      }
  }

  VirtualLayers take() && {
    for (std::uint32_t tree = 0; tree < routes().tree_count(); ++tree) lead_others(tree);
    VirtualLayers result;
    result.of_pair = installed_.of_pair;
    for (std::uint8_t& layer : result.of_pair) {
      if (layer == InstalledLayers::kUnknown) layer = 0;  // no path
      result.count = std::max<std::size_t>(result.count, layer + 1U);
    }
    result.detours = count_detours(hops_, routes());
    result.keeps_sls = true;
    result.trees = {std::move(multicast_)};
    return result;
  }

 private:
  std::uint64_t work() const { return work_ + paths_.work(); }
  const Routes& routes() const { return paths_.routes(); }

  // The beginning.

  /// Gives installed paths their places. Others are open.
  void place_installed(std::uint32_t tree) {
    const SwitchId to = paths_.to(tree);
    const std::vector<bool> kept = living_paths(hops_, installed_, tree);
    const std::span<std::uint8_t> outputs = paths_.routes().outputs(tree);
    for (std::uint32_t s = 0; s < kept.size(); ++s)
      if (kept[s] && SwitchId(s) != to) outputs[s] = installed_.routes.outputs(tree)[s];
    for (const SwitchId from : routes().sources()) {
      if (from == to || hops_.at(from, to) == HopMatrix::kUnknown) continue;
      if (kept[from.index()])
        paths_.place({tree, from});
      else
        open_.push_back({tree, from});
    }
  }

  /// The installed tree, rejoined, or another one beside the paths; else paths make room for it.
  bool add_multicast_tree() {
    std::vector<ChannelId> order;
    for (std::uint32_t c = 0; c < channels_.size(); ++c) order.emplace_back(c);
    common::AcyclicCdg with_paths(channels_, order), alone(channels_, order);
    for (const ChannelId c : order)
      channels_.for_each_leaving(channels_.to(c), [&](ChannelId next) {
        if (paths_.layers().has(0, c, next)) with_paths.try_add(c, next);
      });
    std::vector<SwitchId> members;
    const SwitchId root = partition_destinations(hops_, 1).centres.front();
    for (const SwitchId from : routes().sources())
      if (hops_.at(from, root) != HopMatrix::kUnknown) members.push_back(from);
    if (members.empty()) members.push_back(root);
    auto tree = multicast::rejoined_tree(channels_, installed_.branches, members, with_paths);
    if (!tree && !prices_.tree_first) tree = another_tree(root, members, with_paths);
    if (!tree) tree = multicast::rejoined_tree(channels_, installed_.branches, members, alone);
    if (!tree) return false;
    multicast_ = std::move(*tree);
    for_each_tree_dependency(multicast_, channels_, [&](ChannelId c, ChannelId next) { reserve(c, next); });
    return true;
  }
  std::optional<SpanningTree> another_tree(SwitchId root, const std::vector<SwitchId>& members,
                                           common::AcyclicCdg& with_paths) const {
    root = multicast::spanning_root(channels_, root, members, with_paths);
    if (root.is_none()) return std::nullopt;
    return multicast::acyclic_tree(channels_, root, with_paths);
  }
  /// A dependency of the multicast tree: no path takes it out of the layer.
  void reserve(ChannelId c, ChannelId next) {
    while (!paths_.layers().has(0, c, next)) {
      const std::vector<ChannelId> way = paths_.layers().find_way(0, next, c);
      if (way.empty() || !eject_some(0, way)) break;
    }
    paths_.layers().add(0, c, next);
  }

  // Places.

  bool place_open() {
    most_work_ = work() + kMostRipUpWork * channels_.size();
    while (!open_.empty()) {
      if (work() > most_work_) return false;
      const TreePath path = open_.front();
      open_.pop_front();
      if (!(paths_.arrives(path) && place(path, false))) place_somewhere(path);
    }
    return true;
  }

  void place_somewhere(const TreePath& path) {
    constexpr std::uint32_t kOften = 4;  // then longer detours are worth a try
    std::uint32_t& ripped = ripped_[paths_.index(path)];
    std::vector<ChannelId> way = find_way(path, 2, true);
    if (way.empty() && ripped >= kOften) way = find_way(path, 4, true);
    paths_.checkpoint();
    const std::deque<TreePath> open = open_;
    if (!way.empty() && lead(path, way, true)) return;
    paths_.take_back();
    open_ = open;
    ++ripped;
    open_.push_back(path);
  }

  /// Lets a path lead over some channels. Others of its tree that pass their switches follow, or are open.
  /// False if it has no place there, with changes to be taken back.
  bool lead(const TreePath& path, const std::vector<ChannelId>& way, bool ejects) {
    std::vector<TreePath> moved;
    for (const ChannelId c : way) {
      if (paths_.sends_by(path.tree, c)) continue;
      for (const TreePath& other : paths_.behind(path.tree, channels_.from(c))) {
        paths_.take_out(other);
        moved.push_back(other);
      }
    }
    for (const ChannelId c : way)
      if (!paths_.sends_by(path.tree, c)) paths_.set_entry(path.tree, c);
    if (!place(path, ejects)) return false;
    for (const TreePath& other : moved)
      if (!place(other, false)) rip_up(other);
    return true;
  }

  bool place(const TreePath& path, bool ejects) {
    constexpr std::uint32_t kDeadEnd = 20;
    return paths_.try_place(path, [&](std::size_t layer, const std::vector<ChannelId>& way) {
      std::uint32_t& refused = refused_[paths_.layers().at(layer, way.back(), way.front())];
      ++refused;
      if (!ejects || eject_some(layer, way)) return ejects;
      refused += kDeadEnd;
      return false;
    });
  }

  /// Rips up the paths that need one of the dependencies in a row: those that were ripped up least. False:
  /// all of them are of the multicast tree, or of the path at hand.
  bool eject_some(std::size_t layer, const std::vector<ChannelId>& way) {
    std::vector<TreePath> best;
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = 1; i < way.size(); ++i) {
      std::vector<TreePath> users = paths_.users_of(layer, way[i - 1], way[i]);
      if (users.size() < paths_.layers().count(layer, way[i - 1], way[i])) continue;
      std::uint64_t ripped = 0;
      for (const TreePath& path : users) ripped += ripped_[paths_.index(path)];
      if (ripped >= least) continue;
      least = ripped;
      best = std::move(users);
    }
    for (const TreePath& path : best) {
      paths_.take_out(path);
      rip_up(path);
    }
    return !best.empty();
  }
  void rip_up(const TreePath& path) {
    ++ripped_[paths_.index(path)];
    open_.push_back(path);
  }

  // The cheapest way of a path.

  struct Step {
    double cost;
    std::uint32_t state;
    friend bool operator>(const Step& a, const Step& b) {
      return std::tie(a.cost, a.state) > std::tie(b.cost, b.state);
    }
  };
  static constexpr unsigned kSlacks = 5;
  static constexpr std::uint32_t kBegin = ~0U;

  /// Dijkstra's algorithm; a state is a channel and how many hops beyond the fewest lead there, up to
  /// `slack`. Empty if there is no way.
  std::vector<ChannelId> find_way(const TreePath& path, unsigned slack, bool ejects) {
    count_passing(path.tree);
    costs_.assign(channels_.size() * kSlacks, std::numeric_limits<double>::infinity());
    came_from_.assign(costs_.size(), kBegin);
    std::priority_queue<Step, std::vector<Step>, std::greater<>> steps;
    const SwitchId to = paths_.to(path.tree);
    const auto extend = [&](const Step& step, SwitchId at) {
      const ChannelId last = step.state == kBegin ? ChannelId::none() : ChannelId(step.state / kSlacks);
      const unsigned used = step.state == kBegin ? 0 : step.state % kSlacks;
      channels_.for_each_leaving(at, [&](ChannelId c) {
        const SwitchId next = channels_.to(c);
        if (next == path.from || hops_.at(next, to) == HopMatrix::kUnknown) return;
        if (!last.is_none() && c == channels_.back(last)) return;
        const unsigned more = used + hops_.at(next, to) + 1U - hops_.at(at, to);
        if (more > slack) return;
        const double turn = last.is_none() ? 0 : cost_of_turn(paths_.layer_of(path), last, c, ejects);
        const Step longer{step.cost + cost_of(path, c, more - used) + turn, c.value * kSlacks + more};
        if (longer.cost >= costs_[longer.state]) return;
        costs_[longer.state] = longer.cost;
        came_from_[longer.state] = step.state;
        steps.push(longer);
      });
    };
    extend({0, kBegin}, path.from);
    while (!steps.empty()) {
      const Step step = steps.top();
      steps.pop();
      if (step.cost > costs_[step.state]) continue;
      work_ += 8;
      const SwitchId at = channels_.to(ChannelId(step.state / kSlacks));
      if (at == to) return way_to(step.state);
      extend(step, at);
    }
    return {};
  }
  /// Empty if it passes a switch twice.
  std::vector<ChannelId> way_to(std::uint32_t state) const {
    std::vector<ChannelId> way;
    for (; state != kBegin; state = came_from_[state]) {
      const ChannelId c(state / kSlacks);
      for (const ChannelId other : way)
        if (channels_.from(other) == channels_.from(c)) return {};
      way.push_back(c);
    }
    std::ranges::reverse(way);
    return way;
  }
  /// `slack`: hops beyond the fewest.
  double cost_of(const TreePath& path, ChannelId c, unsigned slack) const {
    constexpr double kHop = 1, kSlack = 1.5, kLoad = 3, kWrite = 0.3;
    const SwitchId at = channels_.from(c);
    const double load =
        static_cast<double>(paths_.load(c) + paths_.flow(path)) / static_cast<double>(enough_);
    double cost = kHop + kSlack * slack + kLoad * load * load * load * load;
    if (!paths_.sends_by(path.tree, c)) cost += prices_.moved * passing_[at.index()];
    const std::uint8_t installed = installed_.routes.outputs(path.tree)[at.index()];
    return installed == c.value - channels_.first(at).value ? cost : cost + kWrite;
  }
  double cost_of_turn(std::size_t layer, ChannelId c, ChannelId next, bool ejects) {
    if (paths_.layers().has(layer, c, next)) return 0;
    if (!paths_.layers().closes_cycle(layer, c, next)) return prices_.dependency;
    if (!ejects) return std::numeric_limits<double>::infinity();
    return prices_.cycle + prices_.refusal * refused_[paths_.layers().at(layer, c, next)];
  }
  void count_passing(std::uint32_t tree) {
    work_ += 4 * routes().sources().size();
    std::ranges::fill(passing_, 0);
    for (const SwitchId from : routes().sources()) {
      const TreePath path{tree, from};
      if (!paths_.is_placed(path)) continue;
      const std::uint32_t ripped = ripped_[paths_.index(path)];
      paths_.for_each_channel(path, [&](ChannelId c) { passing_[channels_.from(c).index()] += ripped; });
    }
  }

  // Even loads.

  /// Moves a path off one of the fullest channels. False: none moves.
  bool relieve_some(bool ejects) {
    std::vector<ChannelId> full;
    for (std::uint32_t c = 0; c < channels_.size(); ++c)
      if (paths_.load(ChannelId(c)) > enough_) full.emplace_back(c);
    std::ranges::stable_sort(full, std::greater<>{}, [&](ChannelId c) { return paths_.load(c); });
    for (const ChannelId c : full)
      for (std::uint32_t tree = 0; tree < routes().tree_count() && work() < most_work_; ++tree) {
        if (routes().tree(tree).host.is_none() || !paths_.sends_by(tree, c)) continue;
        for (const TreePath& path : paths_.behind(tree, channels_.from(c)))
          if (move(path, ejects)) return true;
      }
    return false;
  }
  /// Routes a path again. False, and no change: that lowers no cost.
  bool move(const TreePath& path, bool ejects) {
    constexpr std::size_t kMostSteps = 8, kWithEjections = 6;
    constexpr double kRounding = 1e-9;
    const double before = paths_.cost();
    paths_.checkpoint();
    paths_.take_out(path);
    open_.assign(1, path);
    bool fits = true;
    for (std::size_t step = 0; !open_.empty() && fits; ++step) {
      const TreePath next = open_.front();
      open_.pop_front();
      if (next != path && place(next, false)) continue;
      const bool may_eject = ejects && step < kWithEjections;
      const auto way = step < kMostSteps ? find_way(next, 2, may_eject) : std::vector<ChannelId>();
      fits = !way.empty() && lead(next, way, may_eject);
    }
    open_.clear();
    if (fits && paths_.cost() < before * (1 - kRounding)) return true;
    paths_.take_back();
    return false;
  }

  // The end.

  /// Entries of switches that no path needs: some do not lead to the destination any more.
  void lead_others(std::uint32_t tree) {
    std::vector<SwitchId> open;
    for (std::uint32_t s = 0; s < channels_.switch_count(); ++s)
      if (hops_.at(SwitchId(s), paths_.to(tree)) != HopMatrix::kUnknown &&
          !paths_.arrives({tree, SwitchId(s)}))
        open.emplace_back(s);
    const auto leads = [&](SwitchId sw) {
      for (std::uint32_t i = 0; i < channels_.degree(sw); ++i) {
        const ChannelId c(channels_.first(sw).value + i);
        if (!paths_.arrives({tree, channels_.to(c)})) continue;
        paths_.routes().set_next(tree, c);
        return true;
      }
      return false;
    };
    while (std::erase_if(open, leads) != 0) {
    }
  }

  const HopMatrix& hops_;
  const InstalledLayers& installed_;
  const Prices& prices_;
  const std::uint64_t enough_;
  const common::Channels& channels_;
  PlacedPaths paths_;
  std::vector<std::uint32_t> ripped_;   ///< by path: how often it was ripped up, and once
  std::vector<std::uint32_t> refused_;  ///< by layer, then dependency: how often it would have closed a cycle
  std::vector<std::uint32_t> passing_;  ///< by switch: paths of the tree at hand, each as often as `ripped_`
  std::vector<double> costs_;           ///< by state of the search for a way
  std::vector<std::uint32_t> came_from_;
  std::deque<TreePath> open_;
  std::uint64_t work_ = 0, most_work_ = 0;
  SpanningTree multicast_;
};

/// Each pair of switches with a path has an installed layer below `most`.
bool are_layers_known(const HopMatrix& hops, const InstalledLayers& installed, std::size_t most) {
  const Routes& routes = installed.routes;
  for (std::uint32_t tree = 0; tree < routes.tree_count(); ++tree)
    for (const SwitchId from : routes.sources()) {
      const SwitchId to = routes.tree(tree).to;
      if (from == to || hops.at(from, to) == HopMatrix::kUnknown) continue;
      if (installed.of_pair[from.index() * hops.switch_count + to.index()] >= most) return false;
    }
  return true;
}

}  // namespace

std::optional<VirtualLayers> keep_layers_by_rip_up(const HopMatrix& hops, const InstalledLayers& installed,
                                                   std::size_t most, std::uint64_t enough, Routes& routes) {
  if (routes.channels().size() > kMostRippedChannels ||
      routes.tree_count() * routes.sources().size() > kMostRippedPaths ||
      !are_layers_known(hops, installed, most))
    return std::nullopt;
  for (const Prices& prices : kPrices) {
    Routes kept = routes;
    RipUp search(hops, installed, most, prices, enough, kept);
    if (!search.place_all()) continue;
    search.even_out();
    VirtualLayers layers = std::move(search).take();
    routes = std::move(kept);
    return layers;
  }
  return std::nullopt;
}

}  // namespace rch::engines::dfsssp
