#include "engines/dfsssp/kept_layers.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "engines/common/acyclic_cdg.h"
#include "engines/dfsssp/channel_loads.h"
#include "engines/dfsssp/escape_tree.h"
#include "engines/dfsssp/pair_layers.h"
#include "engines/dfsssp/partition.h"
#include "engines/multicast/acyclic_tree.h"

// Packets that hosts send while they keep an SL are on the layer of the installed path. So the target tables
// are safe at once if each new path fits into the layer that its pair of switches has.
//
// A tree that lost a link is routed anew from the destination outwards. A switch whose entry changes takes a
// minimal next hop by which the paths of all sources behind it fit. If there is none, it takes the one that
// serves most of the neighbours behind it, and each other neighbour looks for a next hop of its own. Where a
// source has none, it sends to a neighbour that is not nearer to the destination.
//
// Which paths fit depends on the order in which they are added. So when some do not, all begin again with
// those first. At last all layers reserve the same escape tree, and the entries on the escape path of a path
// that does not fit become those of the tree.

namespace rch::engines::dfsssp {
namespace {

using common::ChannelId;

/// Sources whose paths to a tree meet at one switch, by the neighbour that they come from; those on the
/// switch itself come from none().
using Sources = std::map<SwitchId, std::vector<SwitchId>>;

std::vector<SwitchId> all_of(const Sources& sources) {
  std::vector<SwitchId> all;
  for (const auto& [neighbor, some] : sources) all.insert(all.end(), some.begin(), some.end());
  return all;
}

struct Path {
  std::uint32_t tree;
  SwitchId from;
  friend auto operator<=>(const Path&, const Path&) = default;
};

/// When the multicast tree gets its place in layer 0.
enum class Multicast : std::uint8_t {
  last,    ///< beside installed paths
  first,   ///< before them
  escape,  ///< it is the escape tree
};

class KeptLayers {
 public:
  KeptLayers(const HopMatrix& hops, const InstalledLayers& installed, std::size_t most, Multicast multicast,
             Routes& routes)
      : hops_(hops),
        installed_(installed),
        most_(most),
        multicast_(multicast),
        routes_(routes),
        channels_(routes.channels()),
        order_(topological_order(routes).channels),
        root_(partition_destinations(hops, 1).centres.front()),
        escape_(channels_, root_),
        hosts_(host_counts(routes.view())),
        loads_(channels_.size()) {
    for (const bool to_hosts : {true, false})
      for (std::uint32_t tree = 0; tree < routes_.tree_count(); ++tree)
        if (leads_to_host(tree) == to_hosts) trees_.push_back(tree);
    for (const SwitchId sw : escape_.tree().order)
      if (hosts_[sw.index()] != 0) members_.push_back(sw);
    if (members_.empty()) members_.push_back(root_);  // a part without hosts
    result_.of_pair = installed.of_pair;
    add_layer();
  }

  /// Adds all paths to the layers of their pairs, those of `first` before all others. False if there is no
  /// multicast tree beside the paths, or if too many do not fit.
  bool fill(std::span<const Path> first) {
    for (const std::uint32_t tree : trees_) restore_paths(tree);
    if (multicast_ == Multicast::first && !add_multicast_tree()) return false;
    for (const Path& path : first)
      if (try_add(path.tree, {path.from})) {
        first_.insert(path);
        add_loads(path.tree, {path.from});
      }
    for (const std::uint32_t tree : trees_) add_installed_paths(tree);
    if (multicast_ == Multicast::last && !add_multicast_tree()) return false;
    if (multicast_ == Multicast::escape) result_.trees = {escape_.tree()};
    for (const std::uint32_t tree : trees_) replace_paths(tree);
    if (multicast_ != Multicast::escape && first.empty() && has_most_refused()) return false;
    if (layers_.size() > 1) add_detours();
    return true;
  }
  /// Paths to hosts that do not fit into the layer that their pair has, in the order they were refused.
  std::vector<Path> refused() const {
    std::vector<Path> paths;
    std::ranges::copy_if(refused_, std::back_inserter(paths), [&](const Path& path) {
      return leads_to_host(path.tree) && installed_layer(path) != InstalledLayers::kUnknown;
    });
    return paths;
  }

  /// Lets all that was refused lead along the escape tree, but for what fits into some layer and may go
  /// there.
  void take_escape_paths() {
    std::erase_if(refused_, [&](const Path& path) { return may_move(path) && place(path); });
    while (!refused_.empty()) {
      const Path path = *refused_.begin();
      refused_.erase(refused_.begin());
      if (layer_of(path) == InstalledLayers::kUnknown) result_.of_pair[pair_of(path)] = 0;
      take_escape_path(path);
    }
  }

  /// Pairs that may have another layer go to the first that they fit into. Nothing if there is none.
  std::optional<VirtualLayers> take() && {
    if (!std::ranges::all_of(refused_, [&](const Path& path) { return may_move(path) && place(path); }))
      return std::nullopt;
    result_.count = layers_.size();
    result_.detours = count_detours(hops_, routes_);
    result_.keeps_sls = true;
    for (std::uint8_t& layer : result_.of_pair)
      if (layer >= result_.count) layer = 0;  // no path
    return std::move(result_);
  }

 private:
  void add_layer() {
    layers_.emplace_back(channels_, order_);
    if (multicast_ == Multicast::escape) escape_.reserve(layers_.back());
  }
  bool leads_to_host(std::uint32_t tree) const { return !routes_.tree(tree).host.is_none(); }
  bool may_move(const Path& path) const {
    return !leads_to_host(path.tree) || installed_layer(path) == InstalledLayers::kUnknown;
  }
  /// So many that other paths are the better choice.
  bool has_most_refused() const {
    constexpr std::size_t kOneOf = 20;
    const auto of_hosts = std::ranges::count_if(refused_, [&](const Path& path) { return !may_move(path); });
    return static_cast<std::size_t>(of_hosts) * kOneOf > routes_.tree_count() * routes_.sources().size();
  }
  std::size_t pair_of(const Path& path) const { return pair(path.from, routes_.tree(path.tree).to); }
  std::size_t pair(SwitchId from, SwitchId to) const {
    return from.index() * channels_.switch_count() + to.index();
  }
  bool is_installed(std::uint32_t tree, SwitchId sw) const {
    return routes_.outputs(tree)[sw.index()] == installed_.routes.outputs(tree)[sw.index()];
  }

  /// The switches of a path, without the destination.
  template <class F>
  bool all_on_path(std::uint32_t tree, SwitchId from, F&& f) const {
    for (SwitchId at = from; at != routes_.tree(tree).to; at = channels_.to(routes_.next(tree, at)))
      if (!f(at)) return false;
    return true;
  }

  /// Adds the paths of some sources, each to the layer of its pair; or none.
  bool try_add(std::uint32_t tree, const std::vector<SwitchId>& sources) {
    std::map<std::uint8_t, std::vector<SwitchId>> by_layer;
    for (SwitchId from : sources)
      by_layer[result_.of_pair[pair(from, routes_.tree(tree).to)]].push_back(from);
    for (auto layer = by_layer.begin(); layer != by_layer.end(); ++layer) {
      if (add_to(layer->first, tree, layer->second)) continue;
      for (auto added = by_layer.begin(); added != layer; ++added) layers_[added->first].roll_back();
      return false;
    }
    return true;
  }
  void undo_add(std::uint32_t tree, const std::vector<SwitchId>& sources) {
    for (SwitchId from : sources) layers_[result_.of_pair[pair(from, routes_.tree(tree).to)]].roll_back();
  }

  bool add_to(std::size_t layer, std::uint32_t tree, const std::vector<SwitchId>& sources) {
    if (layer >= most_) return false;
    while (layers_.size() <= layer) add_layer();
    return layers_[layer].try_add_all([&](auto&& add) {
      for (SwitchId from : sources) for_each_turn(tree, from, routes_.tree(tree).to, add);
    });
  }

  /// The dependencies of a path as far as a switch.
  template <class F>
  void for_each_turn(std::uint32_t tree, SwitchId from, SwitchId end, F&& f) const {
    ChannelId last = ChannelId::none();
    for (SwitchId at = from; at != end; at = channels_.to(last)) {
      const ChannelId c = routes_.next(tree, at);
      if (!last.is_none()) f(last, c);
      last = c;
    }
  }

  /// Lets installed entries replace others as far as their paths are alive.
  void restore_paths(std::uint32_t tree) {
    const std::vector<bool> living = living_paths(hops_, installed_, tree);
    for (std::uint32_t s = 0; s < living.size(); ++s)
      if (living[s] && SwitchId(s) != routes_.tree(tree).to)
        routes_.outputs(tree)[s] = installed_.routes.outputs(tree)[s];
  }

  void add_installed_paths(std::uint32_t tree) {
    for (SwitchId from : routes_.sources()) {
      if (!routes_.sends(tree, from) || first_.contains({tree, from})) continue;
      if (!all_on_path(tree, from, [&](SwitchId at) { return is_installed(tree, at); })) continue;
      if (try_add(tree, {from}))
        add_loads(tree, {from});
      else
        refused_.insert({tree, from});
    }
  }

  /// A tree for multicast on layer 0: the installed one, rejoined, or another. False if there is none beside
  /// the paths.
  bool add_multicast_tree() {
    common::AcyclicCdg with_tree = layers_.front();
    if (auto tree = multicast::rejoined_tree(channels_, installed_.branches, members_, with_tree)) {
      layers_.pop_front();
      layers_.push_front(std::move(with_tree));
      result_.trees = {std::move(*tree)};
      return true;
    }
    const SwitchId root = multicast::spanning_root(channels_, root_, members_, layers_.front());
    if (root.is_none()) return false;
    result_.trees = {multicast::acyclic_tree(channels_, root, layers_.front())};
    return true;
  }

  void replace_paths(std::uint32_t tree) {
    const SwitchId to = routes_.tree(tree).to;
    std::map<std::pair<std::uint8_t, SwitchId>, Sources> open;  // by distance
    for (SwitchId from : routes_.sources()) {
      if (!routes_.sends(tree, from)) continue;
      SwitchId neighbor = SwitchId::none();
      all_on_path(tree, from, [&](SwitchId at) {
        if (is_installed(tree, at)) return neighbor = at, true;
        open[{hops_.at(at, to), at}][neighbor].push_back(from);
        return false;
      });
    }
    while (!open.empty()) {
      const SwitchId at = open.begin()->first.second;
      Sources left = settle(tree, at, open.begin()->second);
      open.erase(open.begin());
      for (auto& [neighbor, some] : left) {
        if (neighbor.is_none()) {
          for (SwitchId from : some) refused_.insert({tree, from});
          continue;
        }
        Sources& behind = open[{hops_.at(neighbor, to), neighbor}];
        for (SwitchId from : some) behind[neighbor_before(tree, from, neighbor)].push_back(from);
      }
    }
  }

  /// The switch from which a path reaches `at`; none() if it begins there.
  SwitchId neighbor_before(std::uint32_t tree, SwitchId from, SwitchId at) const {
    SwitchId neighbor = SwitchId::none();
    all_on_path(tree, from, [&](SwitchId sw) {
      if (sw == at) return false;
      neighbor = sw;
      return true;
    });
    return neighbor;
  }

  /// Selects the next hop of a switch. Returns the sources that do not fit by it.
  Sources settle(std::uint32_t tree, SwitchId at, const Sources& sources) {
    const std::vector<ChannelId> candidates = minimal_next_hops(tree, at);
    for (ChannelId c : candidates) {
      routes_.set_next(tree, c);
      if (!try_add(tree, all_of(sources))) continue;
      add_loads(tree, all_of(sources));
      return {};
    }
    ChannelId best = candidates.front();
    std::size_t most = 0;
    for (ChannelId c : candidates) {
      routes_.set_next(tree, c);
      std::size_t fitting = 0;
      for (const auto& [neighbor, some] : sources) {
        if (!try_add(tree, some)) continue;
        undo_add(tree, some);
        ++fitting;
      }
      if (fitting <= most) continue;
      most = fitting;
      best = c;
    }
    routes_.set_next(tree, best);
    Sources left = sources;
    std::erase_if(left, [&](const auto& some) {
      if (!try_add(tree, some.second)) return false;
      add_loads(tree, some.second);
      return true;
    });
    return left;
  }

  /// Counts the paths of some sources.
  void add_loads(std::uint32_t tree, const std::vector<SwitchId>& sources) {
    if (!leads_to_host(tree)) return;
    for (const SwitchId from : sources)
      all_on_path(tree, from, [&](SwitchId at) {
        loads_[routes_.next(tree, at).index()] += hosts_[from.index()];
        return true;
      });
  }
  /// Load of the fullest channel on the path that begins with `first`.
  std::uint64_t most_load(std::uint32_t tree, ChannelId first) const {
    std::uint64_t most = loads_[first.index()];
    all_on_path(tree, channels_.to(first), [&](SwitchId at) {
      most = std::max(most, loads_[routes_.next(tree, at).index()]);
      return true;
    });
    return most;
  }

  /// The least loaded first. A kept path may be a detour: a nearer switch may send over this one.
  std::vector<ChannelId> minimal_next_hops(std::uint32_t tree, SwitchId at) const {
    const SwitchId to = routes_.tree(tree).to;
    std::vector<ChannelId> candidates{routes_.next(tree, at)};
    channels_.for_each_leaving(at, [&](ChannelId c) {
      const bool is_nearer = hops_.at(channels_.to(c), to) + 1 == hops_.at(at, to);
      if (c != candidates.front() && is_nearer && !passes(tree, channels_.to(c), at)) candidates.push_back(c);
    });
    std::ranges::stable_sort(candidates, {}, [&](ChannelId c) { return most_load(tree, c); });
    return candidates;
  }

  void add_detours() {
    constexpr std::size_t kDetourEntries = 6, kDetourTries = 2000;
    for (auto path = refused_.begin(); path != refused_.end();) {
      const Path open = *path;
      if (!leads_to_host(open.tree)) {
        ++path;
        continue;
      }
      path = refused_.erase(path);
      tries_ = kDetourTries;
      bool found = false;
      for (std::size_t entries = 1; entries <= kDetourEntries && !found && has_layer(open); ++entries)
        found = add_detour(open, open.from, entries);
      if (!found) refused_.insert(path, open);
    }
  }

  /// Changes the entries of a switch on a path, and of so many in all. False, and no change, if the paths
  /// that lead here do not fit so, but for those that did not before.
  bool add_detour(const Path& path, SwitchId at, std::size_t entries) {
    const auto& [tree, from] = path;
    const SwitchId to = routes_.tree(tree).to;
    const ChannelId before = routes_.next(tree, at);
    const ChannelId first = channels_.first(at);
    for (std::uint32_t i = 0; i < channels_.degree(at) && tries_ > 0; ++i) {
      const ChannelId c(first.value + i);
      const SwitchId next = channels_.to(c);
      if (next != to && !routes_.sends(tree, next)) continue;
      routes_.set_next(tree, c);
      --tries_;
      if (entries > 1) {
        if (next != to && may_begin(path, next) && add_detour(path, next, entries - 1)) return true;
      } else if (!returns(tree, at) && try_add(tree, sources_behind(tree, at))) {
        add_loads(tree, {from});
        return true;
      }
    }
    routes_.set_next(tree, before);
    return false;
  }

  /// Its switches send by the escape tree from now on, and so do those whose paths do not fit any more.
  void take_escape_path(const Path& path) {
    const auto& [tree, from] = path;
    const std::vector<ChannelId> escape = escape_.paths_to(routes_.tree(tree).to);
    std::set<SwitchId> concerned{from};
    for (SwitchId at = from; at != routes_.tree(tree).to; at = channels_.to(escape[at.index()])) {
      if (routes_.next(tree, at) == escape[at.index()]) continue;
      const std::vector<SwitchId> sources = sources_behind(tree, at);
      concerned.insert(sources.begin(), sources.end());
      routes_.set_next(tree, escape[at.index()]);
    }
    for (const SwitchId source : concerned)
      if (!try_add(tree, {source})) refused_.insert({tree, source});
  }
  std::uint8_t installed_layer(const Path& path) const { return installed_.of_pair[pair_of(path)]; }
  std::size_t layer_of(const Path& path) const { return result_.of_pair[pair_of(path)]; }
  bool has_layer(const Path& path) const { return layer_of(path) < layers_.size(); }
  /// A path fits into its layer as far as a switch.
  bool may_begin(const Path& path, SwitchId end) {
    common::AcyclicCdg& layer = layers_[layer_of(path)];
    const bool fits = layer.try_add_all([&](auto&& add) { for_each_turn(path.tree, path.from, end, add); });
    if (fits) layer.roll_back();
    return fits;
  }
  /// The path from a switch passes another one.
  bool passes(std::uint32_t tree, SwitchId from, SwitchId sw) const {
    return !all_on_path(tree, from, [&](SwitchId at) { return at != sw; });
  }
  /// What a switch sends comes back to it.
  bool returns(std::uint32_t tree, SwitchId sw) const {
    return passes(tree, channels_.to(routes_.next(tree, sw)), sw);
  }
  std::vector<SwitchId> sources_behind(std::uint32_t tree, SwitchId sw) const {
    std::vector<SwitchId> sources;
    for (SwitchId from : routes_.sources())
      if (routes_.sends(tree, from) && !refused_.contains({tree, from}) && passes(tree, from, sw))
        sources.push_back(from);
    return sources;
  }

  /// Finds a layer for a pair without one.
  bool place(const Path& path) {
    const SwitchPair placed{routes_.tree(path.tree).to, path.from};
    for (std::size_t layer = 0; layer < most_; ++layer) {
      if (layer == layers_.size()) add_layer();
      if (!try_add_pair(routes_, placed, layers_[layer])) continue;
      result_.of_pair[pair_of(path)] = static_cast<std::uint8_t>(layer);
      return true;
    }
    return false;
  }

  const HopMatrix& hops_;
  const InstalledLayers& installed_;
  const std::size_t most_;
  const Multicast multicast_;
  Routes& routes_;
  const common::Channels& channels_;
  const std::vector<ChannelId> order_;
  const SwitchId root_;
  const EscapeTree escape_;
  const std::vector<std::uint64_t> hosts_;  ///< by switch
  std::vector<SwitchId> members_;           ///< of the multicast tree
  ChannelLoads loads_;                      ///< of paths that have a place in their layer
  std::vector<std::uint32_t> trees_;        ///< those to hosts first
  std::deque<common::AcyclicCdg> layers_;
  std::set<Path> first_;    ///< were added before all others
  std::set<Path> refused_;  ///< do not fit into the layer of their pair
  std::size_t tries_ = 0;   ///< left for the present detour
  VirtualLayers result_;
};

/// Small fabrics, with few other ways, have time for more of them.
std::size_t attempts_for(const Routes& routes) {
  constexpr std::size_t kFewest = 8, kMost = 48, kPaths = 400'000;
  return std::clamp(kPaths / std::max<std::size_t>(1, routes.tree_count() * routes.sources().size()), kFewest,
                    kMost);
}

/// The paths that were refused come before those that were first until now. False if there are none.
bool put_first(std::vector<Path> refused, std::vector<Path>& first) {
  if (refused.empty()) return false;
  const std::set<Path> now(refused.begin(), refused.end());
  std::ranges::copy_if(first, std::back_inserter(refused),
                       [&](const Path& path) { return !now.contains(path); });
  first = std::move(refused);
  return true;
}

}  // namespace

std::vector<bool> living_paths(const HopMatrix& hops, const InstalledLayers& installed, std::uint32_t tree) {
  const Routes& routes = installed.routes;
  const SwitchId to = routes.tree(tree).to;
  enum class State : std::uint8_t { open, dead, alive };
  std::vector<State> states(hops.switch_count, State::open);
  states[to.index()] = State::alive;
  std::vector<SwitchId> path;
  for (std::uint32_t s = 0; s < states.size(); ++s) {
    SwitchId at(s);
    for (path.clear(); states[at.index()] == State::open;) {
      path.push_back(at);
      states[at.index()] = State::dead;
      if (routes.sends(tree, at) &&
          hops.at(at, to) == installed.hops[at.index() * hops.switch_count + to.index()])
        at = routes.channels().to(routes.next(tree, at));
    }
    for (const SwitchId sw : path) states[sw.index()] = states[at.index()];
  }
  std::vector<bool> living;
  for (const State state : states) living.push_back(state == State::alive);
  return living;
}

std::optional<VirtualLayers> keep_layers(const HopMatrix& hops, const InstalledLayers& installed,
                                         std::size_t most, Routes& routes) {
  const std::size_t attempts = attempts_for(routes);
  for (const Multicast multicast : {Multicast::last, Multicast::first}) {
    std::vector<Path> first;
    for (std::size_t attempt = 0; attempt < attempts; ++attempt) {
      Routes kept = routes;
      KeptLayers layers(hops, installed, most, multicast, kept);
      if (!layers.fill(first)) break;
      if (put_first(layers.refused(), first)) continue;
      auto result = std::move(layers).take();
      if (!result) break;
      routes = std::move(kept);
      return result;
    }
  }
  return std::nullopt;
}

VirtualLayers keep_layers_by_escape_paths(const HopMatrix& hops, const InstalledLayers& installed,
                                          std::size_t most, Routes& routes) {
  KeptLayers layers(hops, installed, most, Multicast::escape, routes);
  layers.fill({});
  layers.take_escape_paths();
  return *std::move(layers).take();
}

}  // namespace rch::engines::dfsssp
