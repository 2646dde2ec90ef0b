#include "engines/dfsssp/dfsssp.h"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "engines/common/failure.h"
#include "engines/common/port_selection/select_ports.h"
#include "engines/dfsssp/dependency_order.h"
#include "engines/dfsssp/lanes.h"
#include "engines/dfsssp/refine.h"
#include "engines/dfsssp/routes.h"
#include "engines/dfsssp/service_levels.h"
#include "engines/dfsssp/shortest_tables.h"
#include "engines/dfsssp/side_lanes.h"
#include "engines/dfsssp/valleys.h"

// dfsssp, file by file: `shortest_tables` deals balanced shortest paths and puts them into the rows, by a
// `dealer` for each destination over the `next_hops` of all switches, which `hop_bits` tell; where tables are
// in force, entries that still lead on stay as in minhop. `valleys` proves quickly that one lane does. Where
// it cannot say, or a fabric is small enough to `refine` what is dealt by the figures of `spread`, `routes`
// holds a tree of channels for every LID, and `dependency_order` looks for circles. If there are some,
// `side_lanes` sets the few destinations aside that are behind valleys. Where they are not few, `lanes` gives
// every destination a lane, by the `regions` that it cuts the fabric into, and lays anew by `growth` what
// does not fit among the `acyclic_dependencies` of its lane; a `reserved_tree` is the way out when nothing
// fits. `service_levels` says it in SLs and SL2VL maps.
//
// OpenSM gives lanes to single paths, which takes a table of all pairs and as many lanes as it takes. Here
// the lane is the destination's: that is one byte a switch, and the paths bend to the lanes there are
// (docs/decisions/0007).

namespace rch::engines::dfsssp {
namespace {

using common::counted;

/// By tree: compute nodes, I/O nodes, then all others.
std::vector<std::uint8_t> turns(const Routes& routes, const Options& options) {
  const auto sorted = [](std::vector<Guid> guids) {
    std::ranges::sort(guids);
    return guids;
  };
  const std::vector<Guid> compute = sorted(options.compute_nodes), io = sorted(options.io_nodes);
  std::vector<std::uint8_t> turns(routes.tree_count(), 2);
  for (std::size_t t = 0; t < turns.size(); ++t) {
    if (routes.tree(t).host.is_none()) continue;
    const Guid guid = routes.view().fabric().port(routes.tree(t).host).guid;
    if (std::ranges::binary_search(compute, guid))
      turns[t] = 0;
    else if (std::ranges::binary_search(io, guid))
      turns[t] = 1;
  }
  return turns;
}

/// What the lanes came to.
void describe(const Lanes& lanes, const LaneSupply& supply, const Options& options,
              std::vector<std::string>& remarks) {
  if (supply.assumed > 0)
    remarks.push_back(
        fmt::format("VLCap unknown on {}: 8 data VLs assumed", counted(supply.assumed, "port")));
  if (lanes.count > 1) {
    std::vector<std::size_t> switches(lanes.count);
    for (std::uint8_t lane : lanes.of) ++switches[lane];
    remarks.push_back(
        fmt::format("{} virtual lanes, the SL of a path says which: destinations on {} switches", lanes.count,
                    fmt::join(switches, ", ")));
  }
  if (lanes.detours > 0)
    remarks.push_back(fmt::format(
        "{} reached by paths longer than need be: {} too few for shortest paths without credit loops{}",
        counted(lanes.detours, "LID"),
        lanes.count == 1 ? "1 virtual lane is" : fmt::format("{} virtual lanes are", lanes.count),
        options.qos ? "" : " (`qos` is off)"));
}

/// How entries that lost their way are laid where tables of the same rules are in force.
common::PortOptions port_options(const Options& options) {
  common::PortOptions ports{.avoid_throttled_links = options.avoid_throttled_links};
  if (options.installed && options.installed->same_rules) ports.installed = options.installed;
  return ports;
}

class Run {
 public:
  /// `apart`: on lanes that have no circles.
  Run(const fabric::SubFabric& view, const Options& options, bool apart)
      : view_(view),
        options_(options),
        apart_(apart),
        ports_(port_options(options)),
        plan_(view, ports_),
        rerouting_(plan_),
        distances_(common::find_distances(rerouting_)),
        hop_bits_(distances_.hops),
        channels_(plan_.graph()),
        routes_(view, channels_) {}

  StepTables lay() && {
    StepTables tables;
    tables.remarks = plan_.remarks();
    if (!keep(tables)) lay_anew(tables);
    tables.hops = std::move(distances_.hops);
    return tables;
  }

 private:
  Valleys valleys() const { return Valleys(plan_.graph(), hop_bits_, routes_); }

  /// What is in force has no detours: it was not laid on the last lanes that there were.
  bool all_were_shortest() const {
    if (!apart_ || !rerouting_.is_incremental()) return !apart_;
    const common::WeightedGraph& then = rerouting_.before();
    const LaneSupply supply = count_lanes(then.view(), then.graph(), options_.max_op_vls);
    return options_.installed->single_layer && options_.qos && supply.lanes > 1;
  }

  /// By what is in force, if that can be: without circles if they are not wanted, on one lane or with valleys
  /// aside.
  bool keep(StepTables& tables) {
    if (!ports_.installed) return false;
    const common::ShortestPaths rule(plan_.graph(), distances_.hops);
    const common::AffectedEntries* affected = all_were_shortest() ? distances_.affected() : nullptr;
    fabric::ForwardingTables kept = common::select_ports({plan_, rule, common::Diversity::systems, affected});
    if (apart_ && !valleys().rule_out_circles(kept)) {
      routes_.read(kept);
      if (order_by_dependencies(routes_).has_circle && !use_lanes_aside(routes_, tables)) return false;
    }
    tables.lfts = std::move(kept);
    return true;
  }

  void lay_anew(StepTables& tables) {
    tables.lfts =
        lay_shortest_paths(plan_.graph(), distances_.hops, hop_bits_, turns(routes_, options_), routes_);
    const bool refines = can_refine(routes_);
    if (!refines && (!apart_ || valleys().rule_out_circles(tables.lfts))) return;
    routes_.read(tables.lfts);
    if (refines) {
      const Routes free = refined_freely();
      tables.lfts = free.tables();
      lay_apart(free, tables);
    } else {
      lay_apart(routes_, tables);
    }
  }

  /// On several lanes, if that is wanted and one does not do. `free`: what the tables hold.
  void lay_apart(const Routes& free, StepTables& tables) {
    if (!apart_ || !order_by_dependencies(free).has_circle) return;
    if (use_lanes_aside(free, tables)) return;
    if (can_refine(routes_)) return lay_spread(free, tables);
    const Lanes lanes = keep_apart(distances_.hops, {1, lane_supply().lanes}, routes_);
    tables.lfts = routes_.tables();
    use(lanes, tables);
  }

  /// False if that cannot be done.
  bool use_lanes_aside(const Routes& routes, StepTables& tables) const {
    const std::optional<Lanes> lanes = set_valleys_aside(valleys(), routes, lane_supply().lanes);
    if (lanes) use(*lanes, tables);
    return lanes.has_value();
  }

  /// Small fabrics take the number of lanes on which paths are spread best, of equals the lowest.
  void lay_spread(const Routes& refined, StepTables& tables) {
    const std::size_t most = lane_supply().lanes;
    LanedRoutes laid = refined_on_lanes(routes_, {1, most});
    // Where lanes have run out already, there is no number to choose.
    for (std::size_t least = 1; least < most && laid.lanes.detours == 0; least *= 2) {
      LanedRoutes other = refined_on_lanes(refined, {least, most});
      if (other.rank() < laid.rank()) laid = std::move(other);
    }
    tables.lfts = laid.routes.tables();
    use(laid.lanes, tables);
  }

  /// The best of three ways to begin.
  Routes refined_freely() const {
    Routes best = routes_;
    double least = unevenness(refine(distances_.hops, nullptr, best));
    for (const std::size_t step : {1U, 0U}) {
      Routes rotated = routes_;
      rotate(distances_.hops, step, rotated);
      const double uneven = unevenness(refine(distances_.hops, nullptr, rotated));
      if (uneven >= least) continue;
      least = uneven;
      best = std::move(rotated);
    }
    return best;
  }

  LaneSupply lane_supply() const {
    LaneSupply supply = count_lanes(view_, plan_.graph(), options_.max_op_vls);
    if (!options_.qos) supply = {1, 0};
    return supply;
  }

  struct LanedRoutes {
    Lanes lanes;
    Routes routes;
    double uneven = 0;

    std::tuple<std::size_t, double, std::size_t> rank() const { return {lanes.detours, uneven, lanes.count}; }
  };

  LanedRoutes refined_on_lanes(const Routes& from, LaneRange range) const {
    LanedRoutes laid{{}, from};
    laid.lanes = keep_apart(distances_.hops, range, laid.routes);
    const LanesInUse in_use{laid.lanes.count, laid.lanes.of, laid.lanes.trees};
    laid.uneven = unevenness(refine(distances_.hops, &in_use, laid.routes));
    return laid;
  }

  /// The same part of either is worth the same.
  static double unevenness(const Spread::Peaks& peaks) {
    return static_cast<double>(peaks.destinations) * static_cast<double>(peaks.shift);
  }

  void use(const Lanes& lanes, StepTables& tables) const {
    tables.trees = lanes.trees;
    describe(lanes, lane_supply(), options_, tables.remarks);
    if (lanes.count == 1) return;
    tables.sl = sl_rule(lanes);
    tables.multicast_sl_bits = 0;
    tables.sl2vl = sl2vl_tables(view_, lanes.count, options_.max_op_vls);
  }

  const fabric::SubFabric& view_;
  const Options& options_;
  const bool apart_;
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
  return Run(view, options, true).lay();
}

EngineResult route_sssp(const fabric::SubFabric& view, const Options& options) {
  return Run(view, options, false).lay();
}

}  // namespace rch::engines::dfsssp
