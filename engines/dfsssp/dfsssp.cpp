#include "engines/dfsssp/dfsssp.h"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "engines/common/failure.h"
#include "engines/common/port_selection/select_ports.h"
#include "engines/dfsssp/down_up_turns.h"
#include "engines/dfsssp/local_search.h"
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
//   virtual_layers   divides the trees among virtual layers and routes anew what does not fit
//   partition        chooses the destinations of each layer
//   nue              routes a tree inside the CDG of its layer
//   escape_tree      reserves escape paths in a layer
//   channel_loads    counts paths on channels, the edge weights of nue
//   local_search     improves the path distribution of small fabrics
//   service_levels   expresses the layers as SLs and SL2VL maps
//
// The DFSSSP of OpenSM assigns single paths to layers. That takes a table of all pairs, and it fails where
// layers run out. Here a destination switch has one layer, as in Nue: one byte a switch, and it never fails
// (docs/decisions/0007).

namespace rch::engines::dfsssp {
namespace {

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
  if (layers.count > 1) {
    std::vector<std::size_t> switches(layers.count);
    for (std::uint8_t layer : layers.layer_of) ++switches[layer];
    remarks.push_back(fmt::format("{} virtual layers, layer n on SL n and VL n: {} destination switches",
                                  layers.count, fmt::join(switches, ", ")));
  }
  if (layers.detours > 0)
    remarks.push_back(
        fmt::format("{} reached by non-minimal paths: {} too few for minimal paths without credit loops{}",
                    counted(layers.detours, "LID"),
                    layers.count == 1 ? "1 VL is" : fmt::format("{} VLs are", layers.count),
                    options.qos ? "" : " (`qos` is off)"));
}

/// How entries that lost their path are reselected where tables of the same rules are installed.
common::PortOptions port_options(const Options& options) {
  common::PortOptions ports{.avoid_throttled_links = options.avoid_throttled_links};
  if (options.installed && options.installed->same_rules) ports.installed = options.installed;
  return ports;
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
        hop_bits_(distances_.hops, fabric::breadth_first_order(plan_.graph())),
        channels_(plan_.graph()),
        routes_(view, channels_) {}

  StepTables route() && {
    StepTables tables;
    tables.remarks = plan_.remarks();
    if (!keep_installed(tables)) route_anew(tables);
    tables.hops = std::move(distances_.hops);
    return tables;
  }

 private:
  DownUpTurns turns() const { return DownUpTurns(plan_.graph(), hop_bits_, routes_); }

  /// True if installed paths have no detours: VLs had not run out.
  bool installed_is_minimal() const {
    if (!deadlock_free_ || !rerouting_.is_incremental()) return !deadlock_free_;
    const common::WeightedGraph& then = rerouting_.before();
    const VlSupply supply = count_vls(then.view(), then.graph(), options_.max_op_vls);
    return options_.installed->single_layer && options_.qos && supply.vls > 1;
  }

  /// Keeps installed entries that still lie on minimal paths. False if the result has credit loops that
  /// turn_layers.h does not remove.
  bool keep_installed(StepTables& tables) {
    if (!ports_.installed) return false;
    const common::ShortestPaths rule(plan_.graph(), distances_.hops);
    const common::AffectedEntries* affected = installed_is_minimal() ? distances_.affected() : nullptr;
    fabric::ForwardingTables kept = common::select_ports({plan_, rule, common::Diversity::systems, affected});
    if (deadlock_free_ && !turns().exclude_credit_loops(kept)) {
      routes_.read(kept);
      if (topological_order(routes_).has_cycle && !use_layers_for_turns(routes_, tables)) return false;
    }
    tables.lfts = std::move(kept);
    return true;
  }

  void route_anew(StepTables& tables) {
    tables.lfts =
        sssp_tables(plan_.graph(), distances_.hops, hop_bits_, priorities(routes_, options_), routes_);
    const bool searches = can_search(routes_);
    if (!searches && (!deadlock_free_ || turns().exclude_credit_loops(tables.lfts))) return;
    routes_.read(tables.lfts);
    if (searches) {
      const Routes balanced = balanced_routes();
      tables.lfts = balanced.tables();
      remove_credit_loops(balanced, tables);
    } else {
      remove_credit_loops(routes_, tables);
    }
  }

  /// Uses virtual layers if one does not suffice. `routes`: what the tables contain.
  void remove_credit_loops(const Routes& routes, StepTables& tables) {
    if (!deadlock_free_ || !topological_order(routes).has_cycle) return;
    if (use_layers_for_turns(routes, tables)) return;
    if (can_search(routes_)) return use_balanced_layers(routes, tables);
    const VirtualLayers layers = assign_virtual_layers(distances_.hops, {1, vl_supply().vls}, routes_);
    tables.lfts = routes_.tables();
    use(layers, tables);
  }

  bool use_layers_for_turns(const Routes& routes, StepTables& tables) const {
    const std::optional<VirtualLayers> layers = layers_for_turns(turns(), routes, vl_supply().vls);
    if (layers) use(*layers, tables);
    return layers.has_value();
  }

  /// Uses the number of layers with the best path distribution, of equals the least.
  void use_balanced_layers(const Routes& balanced, StepTables& tables) {
    const std::size_t most = vl_supply().vls;
    LayeredRoutes best = balanced_on_layers(routes_, {1, most});
    // With detours all layers are in use already.
    for (std::size_t least = 1; least < most && best.layers.detours == 0; least *= 2) {
      LayeredRoutes other = balanced_on_layers(balanced, {least, most});
      if (other.rank() < best.rank()) best = std::move(other);
    }
    tables.lfts = best.routes.tables();
    use(best.layers, tables);
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

  VlSupply vl_supply() const {
    return options_.qos ? count_vls(view_, plan_.graph(), options_.max_op_vls) : VlSupply{1, 0};
  }

  struct LayeredRoutes {
    VirtualLayers layers;
    Routes routes;
    double imbalance = 0;

    std::tuple<std::size_t, double, std::size_t> rank() const {
      return {layers.detours, imbalance, layers.count};
    }
  };

  LayeredRoutes balanced_on_layers(const Routes& from, LayerRange range) const {
    LayeredRoutes result{{}, from};
    result.layers = assign_virtual_layers(distances_.hops, range, result.routes);
    const LayersInUse in_use{result.layers.count, result.layers.layer_of, result.layers.trees};
    result.imbalance = imbalance(search_locally(distances_.hops, &in_use, result.routes));
    return result;
  }

  /// A change of either figure by the same factor counts the same.
  static double imbalance(const common::PathDistribution& figures) {
    return static_cast<double>(figures.destinations) * static_cast<double>(figures.worst_shift);
  }

  void use(const VirtualLayers& layers, StepTables& tables) const {
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
};

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  return Run(view, options, true).route();
}

EngineResult route_sssp(const fabric::SubFabric& view, const Options& options) {
  return Run(view, options, false).route();
}

}  // namespace rch::engines::dfsssp
