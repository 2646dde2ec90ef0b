#include "engines/dfsssp/dfsssp.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "engines/common/distances.h"
#include "engines/common/failure.h"
#include "engines/common/throttled.h"
#include "engines/dfsssp/dependency_order.h"
#include "engines/dfsssp/kept_trees.h"
#include "engines/dfsssp/lanes.h"
#include "engines/dfsssp/routes.h"
#include "engines/dfsssp/service_levels.h"
#include "engines/dfsssp/shortest_trees.h"

// dfsssp, file by file: `channels` numbers the directions of cables, `routes` holds a tree of them for every
// LID. `shortest_trees` lays balanced shortest paths by `loads`, and lays them anew; `kept_trees` takes over
// what is in force instead. If these close circles (`dependency_order`), `lanes` gives every destination a
// lane, by the `regions` that it cuts the fabric into, and lays anew by `growth` what does not fit among the
// `acyclic_dependencies` of its lane; a `reserved_tree` is the way out when nothing fits. `service_levels`
// says it in SLs and SL2VL maps.
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

/// A view with the cables that may be used.
struct Ground {
  fabric::SwitchGraph graph;
  HopMatrix hops;
  std::vector<std::string> remarks;
};

Ground survey(const fabric::SubFabric& view, const Options& options) {
  Ground ground{view.graph(), {}, {}};
  if (options.avoid_throttled_links) {
    common::FastCables fast = common::without_throttled(view);
    ground = {std::move(fast.graph), {}, std::move(fast.remarks)};
  }
  ground.hops = common::distances(ground.graph);
  return ground;
}

/// What the lanes came to.
void describe(const Lanes& lanes, const LaneSupply& supply, const Options& options,
              std::vector<std::string>& remarks) {
  if (options.qos && supply.assumed > 0)
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

/// By what is in force, if that can be: on one lane, and without circles if they are not wanted.
bool keep(const HopMatrix& hops, const Options& options, bool apart, Routes& routes) {
  if (!options.held || !options.held->same_rules) return false;
  Routes kept = routes;
  keep_trees(hops, *options.held, kept);
  if (apart && order_by_dependencies(kept).has_circle) return false;
  routes = std::move(kept);
  return true;
}

/// Balanced as well as can be, unless that closes circles: on lanes of their own trees are laid by other
/// rules, and the more even ones take more lanes.
void balance(const HopMatrix& hops, std::span<const std::uint8_t> turns, bool apart, Routes& routes) {
  auto anew = lay_anew(hops, turns, routes);
  if (anew && !(apart && order_by_dependencies(*anew).has_circle)) routes = std::move(*anew);
}

/// `apart`: on lanes that have no circles.
StepTables lay(const fabric::SubFabric& view, const Options& options, bool apart) {
  StepTables tables;
  Ground ground = survey(view, options);
  tables.remarks = std::move(ground.remarks);
  const common::Channels channels(ground.graph);
  Routes routes(view, channels);
  const bool kept = keep(ground.hops, options, apart, routes);
  if (!kept) {
    const std::vector<std::uint8_t> order = turns(routes, options);
    lay_shortest_trees(ground.hops, order, routes);
    balance(ground.hops, order, apart, routes);
  }
  if (apart && !kept) {
    const LaneSupply supply = count_lanes(view, channels, options.max_op_vls);
    const Lanes lanes = keep_apart(ground.hops, options.qos ? supply.lanes : 1, routes);
    tables.trees = lanes.trees;
    describe(lanes, supply, options, tables.remarks);
    if (lanes.count > 1) {
      tables.sl = sl_rule(lanes);
      tables.multicast_sl_bits = 0;
      tables.sl2vl = sl2vl_tables(view, lanes.count, options.max_op_vls);
    }
  }
  tables.lfts = routes.tables();
  tables.hops = std::move(ground.hops);
  return tables;
}

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) { return lay(view, options, true); }

EngineResult route_sssp(const fabric::SubFabric& view, const Options& options) {
  return lay(view, options, false);
}

}  // namespace rch::engines::dfsssp
