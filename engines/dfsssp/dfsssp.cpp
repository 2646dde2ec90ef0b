#include "engines/dfsssp/dfsssp.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "engines/common/distances.h"
#include "engines/common/failure.h"
#include "engines/common/port_selection/select_ports.h"
#include "engines/dfsssp/channel_loads.h"
#include "engines/dfsssp/down_up_turns.h"
#include "engines/dfsssp/flow_search.h"
#include "engines/dfsssp/kept_layers.h"
#include "engines/dfsssp/local_search.h"
#include "engines/dfsssp/ordered_pairs.h"
#include "engines/dfsssp/pair_layers.h"
#include "engines/dfsssp/product_numbers.h"
#include "engines/dfsssp/product_routes.h"
#include "engines/dfsssp/rip_up.h"
#include "engines/dfsssp/routes.h"
#include "engines/dfsssp/service_levels.h"
#include "engines/dfsssp/sssp.h"
#include "engines/dfsssp/turn_layers.h"
#include "engines/dfsssp/virtual_layers.h"
#include "fabric/switch_order.h"

// The files of dfsssp, in the order in which they act:
//
//   hop_bits         tells which neighbours are nearer to a destination, 256 destinations at a time
//   next_hop_sets    lists the output ports on minimal paths, and the equivalence classes of switches
//   port_selection   selects ports for the LIDs on one switch by their loads
//   sssp             does so for all destinations and writes the tables
//   down_up_turns    proves that one VL suffices without building the CDG
//   turn_layers      moves the few destinations with down-up turns to further virtual layers
//   routes           holds a destination tree for every LID, by channel
//   product          finds out that a fabric is a product of smaller graphs, such as a torus
//   product_numbers  gives its factors and coordinates the order that they had in the installed tables
//   product_routes   routes a large product factor by factor
//   product_detours  leads around missing links there
//   ordered_pairs    divides pairs of switches between two layers by an order of the switches
//   pair_layers      divides pairs of switches among virtual layers; no path changes
//   kept_layers      keeps installed pairs on their layers, and finds paths that fit there
//   rip_up           does so where installed paths have to make room
//   placed_paths     has the paths that it has given a place
//   counted_layers   holds layers out of which paths are taken again
//   virtual_layers   divides the trees among virtual layers and routes anew what does not fit
//   partition        chooses the destinations of each layer
//   nue              routes a tree inside the CDG of its layer
//   escape_tree      reserves escape paths in a layer
//   channel_loads    counts paths on channels, the edge weights of nue
//   layer_cdgs       lets single switches send otherwise while layers stay acyclic
//   local_search     improves the path distribution of small fabrics
//   flow_search      evens the loads of larger ones
//   service_levels   expresses the layers as SLs and SL2VL maps
//
// The DFSSSP of OpenSM assigns single paths to layers, and it fails where layers run out. Here all paths
// between two switches share a layer, or all to a switch: where layers run out, as in Nue. So it never fails
// (docs/decisions/0007).

namespace rch::engines::dfsssp {
namespace {

/// Trees times switches, at most, where several partitions are tried: 200 switches with 500 hosts.
constexpr std::size_t kMostEntriesOfVariants = 100'000;
constexpr std::size_t kVariants = 12;
/// After so many it is clear whether they differ.
constexpr std::size_t kCompared = 3;

/// By tree: compute nodes, I/O nodes, then all others.
std::vector<std::uint8_t> priorities(const Routes& routes, const Options& options) {
  const auto sorted = [](std::vector<Guid> guids) {
    std::ranges::sort(guids);
    return guids;
  };
  const std::vector<Guid> compute = sorted(options.compute_nodes), io = sorted(options.io_nodes);
  std::vector<std::uint8_t> priorities(routes.tree_count(), 2);
  for (std::size_t t = 0; t < priorities.size(); ++t) {
    if (routes.tree(t).host.is_none()) continue;
    const Guid guid = routes.view().fabric().port(routes.tree(t).host).guid;
    if (std::ranges::binary_search(compute, guid))
      priorities[t] = 0;
    else if (std::ranges::binary_search(io, guid))
      priorities[t] = 1;
  }
  return priorities;
}

void describe(const VirtualLayers& layers, const VlSupply& supply, const Options& options,
              std::vector<std::string>& remarks) {
  if (supply.assumed > 0)
    remarks.push_back(
        fmt::format("VLCap unknown on {}: 8 data VLs assumed", counted(supply.assumed, "port")));
  if (!layers.digits.empty()) {
    remarks.push_back(fmt::format("{} virtual layers, layer n on SL n and VL n: by {} of both switches",
                                  layers.count, counted(layers.digits.size(), "coordinate")));
  } else if (layers.count > 1) {
    std::vector<std::size_t> sizes(layers.count);
    for (std::uint8_t layer : layers.of_pair.empty() ? layers.layer_of : layers.of_pair) ++sizes[layer];
    remarks.push_back(fmt::format("{} virtual layers, layer n on SL n and VL n: {} {}", layers.count,
                                  fmt::join(sizes, ", "),
                                  layers.of_pair.empty() ? "destination switches" : "pairs of switches"));
  }
  if (layers.detours == 0) return;
  const std::string reason =
      layers.keeps_sls ? "hosts keep their SLs"
      : layers.around_missing
          ? "links are missing"
          : fmt::format("{} too few for minimal paths {}without credit loops",
                        layers.count == 1 ? "1 VL is" : fmt::format("{} VLs are", layers.count),
                        options.needs_multicast_tree ? "and a multicast tree " : "");
  remarks.push_back(fmt::format("{} reached by non-minimal paths: {}{}", counted(layers.detours, "LID"),
                                reason, options.qos ? "" : " (`qos` is off)"));
}

/// How entries that lost their path are reselected where tables are installed.
common::PortOptions port_options(const Options& options) {
  return {.avoid_throttled_links = options.avoid_throttled_links, .installed = options.installed};
}

/// Switches by structure, so that tables do not depend on numbers: breadth first from a switch with hosts. In
/// a fat tree the pods follow each other, and in each pod the switches that lead to the same spines have the
/// same place.
std::vector<SwitchId> by_structure(const fabric::SubFabric& view, const fabric::SwitchGraph& graph) {
  std::uint32_t root = 0;
  while (root + 1 < view.switch_count() && view.end_ports_of(SwitchId(root)).empty()) ++root;
  return fabric::breadth_first_order(graph, SwitchId(root));
}

class Run {
 public:
  /// `deadlock_free`: on virtual layers with acyclic CDGs.
  Run(const fabric::SubFabric& view, const Options& options, bool deadlock_free)
      : view_(view),
        options_(options),
        deadlock_free_(deadlock_free),
        ports_(port_options(options)),
        plan_(view, ports_),
        rerouting_(plan_),
        distances_(common::find_distances(rerouting_)),
        hop_bits_(distances_.hops, by_structure(view, plan_.graph())),
        channels_(plan_.graph()),
        routes_(view, channels_) {}

  StepTables route() {
    StepTables tables;
    tables.remarks = plan_.remarks();
    if (!route_factors(tables) && !keep_installed(tables)) route_anew(tables);
    tables.hops = distances_.hops;
    return tables;
  }

  /// Virtual layers of the tables that were routed.
  std::size_t layers() const { return layers_; }
  /// Paths from hosts on the fullest channel.
  std::uint64_t fullest(const fabric::ForwardingTables& lfts) {
    routes_.read(lfts);
    return fullest(routes_);
  }

 private:
  DownUpTurns turns() const { return DownUpTurns(plan_.graph(), hop_bits_, routes_); }

  /// True if installed paths have no detours: VLs had not run out, and no host kept its SL by one.
  bool installed_is_minimal() const {
    if (!deadlock_free_ || !rerouting_.is_incremental()) return !deadlock_free_;
    const common::WeightedGraph& then = rerouting_.before();
    const VlSupply supply = count_vls(then.view(), then.graph(), options_.max_op_vls);
    if (!options_.installed->single_layer() || !options_.qos || supply.vls <= 1) return false;
    const std::size_t switches = then.view().switch_count();
    return switches * switches > kMostPairs || has_minimal_entries(then);
  }

  /// Each installed entry leads to a switch that is nearer.
  bool has_minimal_entries(const common::WeightedGraph& then) const {
    const HopMatrix hops = common::distances(then.graph());
    const common::Channels channels(then.graph());
    Routes routes(then.view(), channels);
    fabric::ForwardingTables lfts(hops.switch_count, options_.installed->lfts->max_lid());
    for (std::uint32_t s = 0; s < hops.switch_count; ++s)
      lfts.share_row(SwitchId(s), *options_.installed->lfts, then.view().fabric_switch(SwitchId(s)));
    routes.read(lfts);
    for (std::size_t tree = 0; tree < routes.tree_count(); ++tree)
      for (std::uint32_t s = 0; s < hops.switch_count; ++s) {
        const SwitchId sw(s), to = routes.tree(tree).to;
        if (!routes.sends(tree, sw)) continue;
        if (hops.at(channels.to(routes.next(tree, sw)), to) + 1 != hops.at(sw, to)) return false;
      }
    return true;
  }

  /// Keeps installed entries that still lie on minimal paths. False if that leaves credit loops.
  bool keep_installed(StepTables& tables) {
    if (!ports_.installed) return false;
    const common::ShortestPaths rule(plan_.graph(), distances_.hops);
    const common::AffectedEntries* affected = installed_is_minimal() ? distances_.affected() : nullptr;
    tables.lfts = common::select_ports({plan_, rule, common::Diversity::systems, affected});
    if (!deadlock_free_) return true;
    if (!is_free_of_credit_loops(tables.lfts)) return divide_among_layers(tables);
    even_out_on_one_layer(tables);
    return true;
  }

  /// Routes a large product of smaller graphs factor by factor. Such paths depend on coordinates alone, so
  /// they stay when something else changes.
  bool route_factors(StepTables& tables) {
    if (!deadlock_free_ || view_.switch_count() * view_.switch_count() <= kMostPairs) return false;
    auto product = find_product(plan_.graph());
    if (!product) return false;
    FactorLayers before;
    if (const auto& installed = options_.installed; installed && installed->same_rules && installed->sl)
      before = number_as_installed(*installed->sl, installed->changes->switches().fabric_before_of, *product);
    const auto layers = route_product(*product, before, distances_.hops, vl_supply().vls, routes_);
    if (!layers) return false;
    tables.lfts = routes_.tables();
    use(*layers, tables);
    return true;
  }

  /// Balanced minimal paths, whatever is installed. `routes_` may hold others.
  fabric::ForwardingTables fresh_tables() {
    SsspTables sssp =
        sssp_tables(plan_.graph(), distances_.hops, hop_bits_, priorities(routes_, options_), routes_);
    if (can_search(routes_)) {
      routes_.read(sssp.lfts);
      routes_ = balanced_routes();
      return routes_.tables();
    }
    if (!sssp.even && can_balance_flows(routes_)) {
      routes_.read(sssp.lfts);
      if (is_tree_to_hosts())
        balance_flows_and_shifts(routes_);
      else
        balance_flows(nullptr, routes_);
      return routes_.tables();
    }
    return std::move(sssp.lfts);
  }

  /// No minimal path between hosts has a down-up turn. So it does not matter for the layers which are taken.
  bool is_tree_to_hosts() const {
    const std::vector<SwitchId> turned = turns().destinations();
    return std::ranges::all_of(turned, [&](SwitchId sw) { return view_.end_ports_of(sw).empty(); });
  }

  void route_anew(StepTables& tables) {
    tables.lfts = fresh_tables();
    if (!deadlock_free_) return;
    if (options_.needs_multicast_tree)
      routes_.read(tables.lfts);
    else if (is_free_of_credit_loops(tables.lfts) || divide_among_layers(tables))
      return;
    const VirtualLayers layers = best_layers();
    tables.lfts = routes_.tables();
    use(layers, tables);
  }

  /// Tells whether one VL suffices. If not, `routes_` holds what the tables contain.
  bool is_free_of_credit_loops(fabric::ForwardingTables& lfts) {
    if (turns().exclude_credit_loops(lfts)) return true;
    routes_.read(lfts);
    routes_.update(lfts);
    return !topological_order(routes_).has_cycle;
  }

  /// Frees the tables, which `routes_` holds, of credit loops by virtual layers. False if that takes more VLs
  /// than there are.
  bool divide_among_layers(StepTables& tables) {
    const std::size_t vls = vl_supply().vls;
    std::optional<VirtualLayers> layers;
    if (const auto installed = installed_layers(tables.lfts)) {
      layers = keep_service_levels(*installed);
      routes_.update(tables.lfts);
    } else {
      layers = layers_for_turns(turns(), routes_, vls);
      if (!layers) layers = layers_for_any_pairs(vls);
      prefer_factors(vls, layers);
      routes_.update(tables.lfts);
    }
    if (layers) use(*layers, tables);
    return layers.has_value();
  }

  /// Two layers are the fewest. Where an order of the switches takes more, the search may find fewer.
  std::optional<VirtualLayers> layers_for_any_pairs(std::size_t vls) const {
    auto ordered = layers_for_ordered_pairs(plan_.graph(), distances_.hops, routes_, vls);
    if (ordered && (ordered->count <= 2 || view_.switch_count() * view_.switch_count() > kMostPairs))
      return ordered;
    auto searched = layers_for_pairs(distances_.hops, routes_, ordered ? ordered->count - 1 : vls);
    return searched ? std::move(searched) : std::move(ordered);
  }

  /// Where the fabric is a product of smaller graphs, paths factor by factor may take fewer layers. They
  /// replace `routes_` and `layers` if they take half as many and no channel carries more. Where no layers
  /// were found and VLs remain unused, it suffices that channels are loaded about as evenly.
  void prefer_factors(std::size_t vls, std::optional<VirtualLayers>& layers) {
    if (layers && layers->count <= 2) return;
    const auto product = find_product(plan_.graph());
    if (!product) return;
    Routes by_factor = routes_;
    auto fewer = route_product(*product, {}, distances_.hops, layers ? layers->count / 2 : vls, by_factor);
    if (!fewer) return;
    const std::uint64_t most = fullest(routes_), most_by_factor = fullest(by_factor);
    const bool leaves_vls = !layers && fewer->count < vls;
    if (leaves_vls ? !is_about_as_even(most_by_factor, most) : most_by_factor > most) return;
    layers = std::move(fewer);
    routes_ = std::move(by_factor);
  }

  /// Layers on which hosts keep their SLs: with installed paths, unless fresh ones are clearly more even.
  VirtualLayers keep_service_levels(const InstalledLayers& installed) {
    const std::size_t vls = vl_supply().vls;
    const std::uint64_t before = fullest(installed.routes);
    const Routes selected = routes_;
    auto kept = keep_layers(distances_.hops, installed, vls, routes_);
    if (kept) even_out(*kept, installed.routes);
    if (kept && kept->detours == 0 && is_about_as_even(fullest(routes_), before)) return std::move(*kept);
    if (!kept || !is_about_as_even(fullest(routes_), before)) {
      Routes moved_routes = selected;
      auto moved = keep_layers_by_rip_up(distances_.hops, installed, vls, before + before / 10, moved_routes);
      if (moved && (!kept || fullest(moved_routes) < fullest(routes_))) {
        kept = std::move(moved);
        routes_ = std::move(moved_routes);
        if (is_about_as_even(fullest(routes_), before)) return std::move(*kept);
      }
    }
    Routes kept_routes = std::exchange(routes_, selected);
    routes_.read(fresh_tables());
    const InstalledLayers anew{routes_, installed.of_pair, distances_.hops.hops, installed.branches};
    auto fresh = keep_layers(distances_.hops, anew, vls, routes_);
    if (fresh && !(kept && is_about_as_even(fullest(kept_routes), fullest(routes_))))
      return std::move(*fresh);
    routes_ = std::move(kept_routes);
    if (kept) return std::move(*kept);
    routes_ = selected;
    VirtualLayers layers = keep_layers_by_escape_paths(distances_.hops, installed, vls, routes_);
    even_out(layers, installed.routes);
    return layers;
  }

  /// The entries that lost their path were selected by numbers of LIDs, switch by switch. Where all sources
  /// found the same next best channel, it may carry twice what the fullest one did.
  void even_out_on_one_layer(StepTables& tables) {
    if (!can_balance_flows(routes_) || has_new_hosts()) return;
    Routes installed = routes_;
    installed.read(installed_tables(tables.lfts.max_lid()));
    routes_.read(tables.lfts);
    even_out({}, installed);
    routes_.update(tables.lfts);
  }
  /// New hosts add to the loads of paths that may stay as they are.
  bool has_new_hosts() const {
    for (const SwitchId sw : routes_.sources())
      if (!options_.installed->changes->same_hosts(sw)) return true;
    return false;
  }

  static bool is_about_as_even(std::uint64_t fullest, std::uint64_t other) {
    return fullest <= other + other / 5;
  }
  /// Takes flows off channels that carry clearly more than the fullest one did.
  void even_out(const VirtualLayers& layers, const Routes& installed) {
    const LayersInUse in_use{layers.count, {}, layers.trees, layers.of_pair};
    const std::uint64_t before = fullest(installed);
    if (fullest(routes_) > before + before / 10 && can_balance_flows(routes_))
      balance_flows(&in_use, routes_, {&installed, before + before / 20});
  }

  /// Nothing unless this engine divided the installed paths among layers by the same rules, there are as many
  /// VLs as then, and not too many pairs.
  std::optional<InstalledLayers> installed_layers(const fabric::ForwardingTables& target) const {
    const auto& installed = options_.installed;
    if (!installed || !installed->same_rules || installed->sl == nullptr) return std::nullopt;
    const std::size_t switches = view_.switch_count(), vls = vl_supply().vls;
    if (switches * switches > kMostPairs) return std::nullopt;
    InstalledLayers layers{routes_, std::vector<std::uint8_t>(switches * switches, InstalledLayers::kUnknown),
                           std::vector<std::uint8_t>(switches * switches, HopMatrix::kUnknown),
                           installed_branches()};
    layers.routes.read(installed_tables(target.max_lid()));
    const std::vector<SwitchId>& before = installed->changes->switches().fabric_before_of;
    const HopMatrix hops = common::distances(installed->changes->before().fabric().graph());
    for (std::size_t from = 0; from < switches; ++from)
      for (std::size_t to = 0; to < switches; ++to)
        if (!before[from].is_none() && !before[to].is_none()) {
          layers.of_pair[from * switches + to] = installed->sl->sl(before[from], before[to]);
          if (layers.of_pair[from * switches + to] >= vls) return std::nullopt;
          layers.hops[from * switches + to] = hops.at(before[from], before[to]);
        }
    return layers;
  }

  /// The installed entries of the switches of today that still lead somewhere.
  fabric::ForwardingTables installed_tables(Lid max_lid) const {
    fabric::ForwardingTables lfts(view_.switch_count(), max_lid);
    for (std::uint32_t s = 0; s < view_.switch_count(); ++s) options_.installed->copy_to(lfts, SwitchId(s));
    return lfts;
  }

  /// The branches of the installed multicast trees between switches that are still there.
  std::vector<multicast::Branch> installed_branches() const {
    const common::InstalledTables& installed = *options_.installed;
    const fabric::Fabric& before = installed.changes->before().fabric();
    std::vector<SwitchId> now(before.switch_count(), SwitchId::none());
    const std::vector<SwitchId>& before_of = installed.changes->switches().fabric_before_of;
    for (std::uint32_t s = 0; s < before_of.size(); ++s)
      if (!before_of[s].is_none()) now[before_of[s].index()] = SwitchId(s);
    std::vector<multicast::Branch> branches;
    for (const fabric::MulticastGroup& group : installed.groups)
      for (const PortId id : group.ports) {
        const fabric::Port& port = before.port(id);
        const auto from = before.switch_id(port.node);
        const auto to = port.peer.is_none() ? std::nullopt : before.switch_id(before.port(port.peer).node);
        if (from && to && !now[from->index()].is_none() && !now[to->index()].is_none())
          branches.emplace_back(now[from->index()], now[to->index()]);
      }
    return branches;
  }

  /// The best of local searches from three starts.
  Routes balanced_routes() const {
    Routes best = routes_;
    double least = imbalance(search_locally(distances_.hops, nullptr, best));
    for (const std::size_t step : {1U, 0U}) {
      Routes other = routes_;
      route_by_host_number(distances_.hops, step, other);
      const double imbalance = this->imbalance(search_locally(distances_.hops, nullptr, other));
      if (imbalance >= least) continue;
      least = imbalance;
      best = std::move(other);
    }
    return best;
  }

  /// Where each destination gets a layer, loads may depend much on how the destinations are divided, as on
  /// random graphs. So the best of several partitions is taken, if that is quick and the first ones differ.
  VirtualLayers best_layers() {
    const bool is_quick = routes_.tree_count() * view_.switch_count() <= kMostEntriesOfVariants;
    const std::size_t variants = is_quick ? kVariants : 1;
    const Routes minimal = std::move(routes_);
    std::optional<VirtualLayers> best;
    std::pair<std::size_t, std::uint64_t> least, most;  // layers, then paths on the fullest channel
    const auto is_alike = [&] {
      return most.first == least.first && most.second <= least.second + least.second / 20;
    };
    for (std::size_t variant = 0; variant < variants; ++variant) {
      if (variant == kCompared && is_alike()) break;
      Routes routes = minimal;
      VirtualLayers layers = assign_virtual_layers(distances_.hops, vl_supply().vls, variant, routes,
                                                   options_.needs_multicast_tree);
      const LayersInUse in_use{layers.count, layers.layer_of, layers.trees};
      if (can_search(routes))
        search_locally(distances_.hops, &in_use, routes);
      else if (can_balance_flows(routes))
        balance_flows(&in_use, routes);
      const std::pair result(layers.count, fullest(routes));
      most = std::max(most, result);
      if (best && result >= least) continue;
      least = result;
      best = std::move(layers);
      routes_ = std::move(routes);
    }
    return std::move(*best);
  }

  static std::uint64_t fullest(const Routes& routes) {
    const ChannelLoads loads = count_loads(routes);
    return loads.empty() ? 0 : *std::ranges::max_element(loads);
  }

  VlSupply vl_supply() const {
    return options_.qos ? count_vls(view_, plan_.graph(), options_.max_op_vls) : VlSupply{1, 0};
  }

  /// A change of any figure by the same factor counts the same.
  static double imbalance(const common::PathDistribution& figures) {
    return static_cast<double>(figures.destinations) * static_cast<double>(figures.flows) *
           static_cast<double>(figures.worst_shift);
  }

  void use(const VirtualLayers& layers, StepTables& tables) {
    layers_ = layers.count;
    tables.trees = layers.trees;
    describe(layers, vl_supply(), options_, tables.remarks);
    if (layers.count == 1) return;
    tables.sl = sl_rule(layers);
    tables.multicast_sl_bits = 0;
    tables.sl2vl = sl2vl_tables(view_, layers.count, options_.max_op_vls);
  }

  const fabric::SubFabric& view_;
  const Options& options_;
  const bool deadlock_free_;
  const common::PortOptions ports_;
  const common::PortContext plan_;
  const common::Rerouting rerouting_;
  common::Distances distances_;
  const HopBits hop_bits_;
  const common::Channels channels_;
  Routes routes_;
  std::size_t layers_ = 1;
};

/// Tables of unknown rules may be those of any engine. So they are kept only if that is as even as fresh
/// tables, on as few layers. Tables by which packets are lost have no trees to keep.
StepTables route(const fabric::SubFabric& view, const Options& options, bool deadlock_free) {
  Options anew = options;
  anew.installed.reset();
  if (!options.installed || !options.installed->complete) return Run(view, anew, deadlock_free).route();
  if (options.installed->same_rules) return Run(view, options, deadlock_free).route();
  Run fresh(view, anew, deadlock_free), kept(view, options, deadlock_free);
  StepTables fresh_tables = fresh.route(), kept_tables = kept.route();
  const std::uint64_t most = fresh.fullest(fresh_tables.lfts);
  const bool even = kept.fullest(kept_tables.lfts) <= most + most / 20 && kept.layers() <= fresh.layers();
  return even ? std::move(kept_tables) : std::move(fresh_tables);
}

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  return route(view, options, true);
}

EngineResult route_sssp(const fabric::SubFabric& view, const Options& options) {
  return route(view, options, false);
}

}  // namespace rch::engines::dfsssp
