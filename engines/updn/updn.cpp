#include "engines/updn/updn.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "engines/common/distances.h"
#include "engines/common/port_selection/select_ports.h"
#include "engines/updn/legal_paths.h"
#include "engines/updn/opensm_search.h"
#include "engines/updn/pairs.h"
#include "engines/updn/roots.h"
#include "engines/updn/second_look.h"

namespace rch::engines::updn {
namespace {

using common::PortContext;

/// The order of the switches of both plans, if those that they share stand in the same.
std::optional<Orientation> joined_order(const common::Rerouting& rerouting, const Orientation& before,
                                        const Orientation& now) {
  const std::vector<SwitchId>& joint_of = rerouting.switches().joint_of;
  std::vector<std::uint8_t> plans(rerouting.switches().joint_count());  // how many of the two have a switch
  for (SwitchId sw : before.order()) ++plans[joint_of[sw.index()].index()];
  for (SwitchId sw : now.order()) ++plans[sw.index()];
  std::vector<SwitchId> order;
  const auto add_own = [&](auto& at, auto end, auto&& number_of) {
    for (; at != end && plans[number_of(*at).index()] == 1; ++at) order.push_back(number_of(*at));
  };
  auto b = before.order().begin();
  auto n = now.order().begin();
  while (true) {
    add_own(b, before.order().end(), [&](SwitchId sw) { return joint_of[sw.index()]; });
    add_own(n, now.order().end(), [](SwitchId sw) { return sw; });
    if (b == before.order().end() || n == now.order().end()) return Orientation(std::move(order));
    if (joint_of[b->index()] != *n) return std::nullopt;
    order.push_back(*n);
    ++b, ++n;
  }
}

/// What ports are chosen from, and what of it the installed tables leave open.
struct LegalRoutes {
  LegalHops hops;
  std::optional<HopMatrix> joined;  ///< with the pairs that have no legal way
  std::optional<common::AffectedEntries> open;
};

/// What holds of installed tables may stay if all cables that stay lead up and down as they did.
LegalRoutes find_routes(const common::Rerouting& rerouting, const Orientation* before,
                        const Orientation& orientation, bool connect_roots) {
  const PortContext& plan = rerouting.now();
  if (before != nullptr)
    if (const auto both = joined_order(rerouting, *before, orientation)) {
      LegalSince since = legal_hops(rerouting, *both);
      return {std::move(since.now), std::nullopt,
              std::optional<common::AffectedEntries>(std::in_place, rerouting, std::move(since.moved))};
    }
  LegalRoutes routes{legal_hops(plan.graph(), orientation), std::nullopt, std::nullopt};
  if (connect_roots) routes.joined = joined_hops(plan.graph(), routes.hops.all);
  return routes;
}

/// Along an orientation, whatever it is made of. `before`: that of the earlier plan; null: nothing is taken
/// over, and `affected`, which may be null, is what of the installed tables is looked at.
StepTables route_legally(const common::Rerouting& rerouting, const Orientation* before,
                         const Orientation& orientation, bool connect_roots,
                         const common::AffectedEntries* affected = nullptr) {
  const PortContext& plan = rerouting.now();
  LegalRoutes routes = find_routes(rerouting, before, orientation, connect_roots);
  StepTables tables;
  tables.remarks = remarks_on_pairs(plan.view(), routes.hops.all, connect_roots);
  const LegalPaths rule(plan.graph(), orientation, routes.hops, routes.joined ? &*routes.joined : nullptr);
  if (routes.open) affected = &*routes.open;
  tables.lfts = common::select_ports({plan, rule, common::Diversity::systems, affected});
  tables.hops = routes.joined ? std::move(*routes.joined) : std::move(routes.hops.all);
  return tables;
}

StepTables route_as_opensm(const PortContext& plan, const OpenSmSearch& search,
                           const common::AffectedEntries* affected = nullptr) {
  StepTables tables;
  tables.lfts = common::select_ports({plan, search, common::Diversity::systems, affected});
  tables.hops = search.hops();
  tables.remarks = remarks_on_pairs(plan.view(), search.hops(), false);
  return tables;
}

/// Where no cable joins equal ranks OpenSM's search finds the legal routes and no others, for a way that goes
/// down alone is then the shortest of all; so it is needed elsewhere only.
bool takes_search(const PortContext& plan, std::span<const std::uint32_t> rank, bool connect_roots) {
  return plan.options().compat && (connect_roots || !is_graded(plan.graph(), rank));
}

/// Hops by which roots are told: with `compat` those of minhop, weights included.
HopMatrix hops_to_hosts(const common::WeightedGraph& links, bool compat) {
  const std::vector<SwitchId> leaves = switches_with_hosts(links.view());
  if (!compat || links.weights().empty()) return common::distances_to(links.graph(), leaves);
  const HopMatrix all = common::distances(links);
  HopMatrix hops{leaves.size(), {}};
  for (std::uint32_t s = 0; s < all.switch_count; ++s)
    for (SwitchId leaf : leaves) hops.hops.push_back(all.at(SwitchId(s), leaf));
  return hops;
}

StartsResult roots_of(const common::WeightedGraph& links, const Options& options) {
  if (!options.roots.empty()) return named_roots(links.view(), options.roots);
  const bool compat = options.ports.compat;
  return detected_roots(links.view(), hops_to_hosts(links, compat), compat);
}

Orientation orientation_of(const common::WeightedGraph& links, std::span<const std::uint32_t> rank,
                           const Options& options) {
  return towards_roots(rank, numbers(links.view(), options.ids));
}

StepTables route_by_search(const PortContext& plan, std::span<const std::uint32_t> rank,
                           const Options& options) {
  std::optional<HopMatrix> shortest;
  if (options.connect_roots) shortest = common::distances(plan.links());
  return route_as_opensm(
      plan, updn_search(plan, rank, numbers(plan.view(), options.ids), shortest ? &*shortest : nullptr));
}

/// Joined pairs go by any way: there everything is looked at.
bool may_take_over(const common::Rerouting& rerouting, bool connect_roots) {
  return rerouting.is_incremental() && !connect_roots;
}

/// All entries, whatever has changed since: nothing if there are none to compare with.
std::optional<common::AffectedEntries> everything(const common::Rerouting& rerouting) {
  if (!rerouting.is_incremental()) return std::nullopt;
  std::vector<common::ChangedHop> all;
  const auto count = static_cast<std::uint32_t>(rerouting.now().graph().switch_count());
  for (std::uint32_t from = 0; from < count; ++from)
    for (std::uint32_t to = 0; to < count; ++to) all.push_back({SwitchId(from), SwitchId(to)});
  return std::optional<common::AffectedEntries>(std::in_place, rerouting, std::move(all));
}

/// What dnup goes by on a fabric.
struct Leaves {
  std::vector<std::uint32_t> rank;
  Orientation order;
  bool second_look;
};

tl::expected<Leaves, EngineFailure> leaves_of(const common::WeightedGraph& links) {
  const StartsResult starts = leaves(links.view());
  if (!starts) return tl::unexpected(starts.error());
  std::vector<std::uint32_t> rank = ranks(links.graph(), starts->switches);
  Orientation order = away_from_leaves(links.graph(), rank, numbers(links.view(), {}));
  const bool second_look = gets_second_look(links, rank);
  return Leaves{std::move(rank), std::move(order), second_look};
}

/// Installed tables may be of either kind, so each of their entries is looked at.
StepTables route_twice(const common::Rerouting& rerouting, const Leaves& now) {
  const std::optional<common::AffectedEntries> open = everything(rerouting);
  const common::AffectedEntries* const affected = open ? &*open : nullptr;
  StepTables ordered = route_legally(rerouting, nullptr, now.order, false, affected);
  if (!now.second_look) return ordered;
  const PortContext& plan = rerouting.now();
  return look_again(plan, std::move(ordered),
                    route_as_opensm(plan, dnup_search(plan, now.rank, false), affected));
}

StepTables route_away_from_leaves(const common::Rerouting& rerouting, const Leaves& now, bool connect_roots) {
  if (!may_take_over(rerouting, connect_roots)) {
    if (now.second_look && !connect_roots) return route_twice(rerouting, now);
    return route_legally(rerouting, nullptr, now.order, connect_roots);
  }
  const auto before = leaves_of(rerouting.before());
  if (now.second_look || (before && before->second_look)) return route_twice(rerouting, now);
  return route_legally(rerouting, before ? &before->order : nullptr, now.order, false);
}

void put_first(std::vector<std::string>& remarks, const std::vector<std::string>& first) {
  remarks.insert(remarks.begin(), first.begin(), first.end());
}

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  const PortContext plan(view, options.ports);
  const common::Rerouting rerouting(plan);
  std::optional<StartsResult> roots;
  std::optional<Orientation> before;
  parallel_tasks([&] { roots = roots_of(plan.links(), options); },
                 [&] {
                   if (!may_take_over(rerouting, options.connect_roots)) return;
                   const common::WeightedGraph& then = rerouting.before();
                   if (const StartsResult were = roots_of(then, options))
                     before = orientation_of(then, ranks(then.graph(), were->switches), options);
                 });
  if (!*roots) return tl::unexpected((*roots).error());
  const auto rank = ranks(plan.graph(), (*roots)->switches);
  StepTables tables = takes_search(plan, rank, options.connect_roots)
                          ? route_by_search(plan, rank, options)
                          : route_legally(rerouting, before ? &*before : nullptr,
                                          orientation_of(plan.links(), rank, options), options.connect_roots);
  put_first(tables.remarks, (*roots)->remarks);
  put_first(tables.remarks, plan.remarks());
  return tables;
}

EngineResult route_dnup(const fabric::SubFabric& view, const DnupOptions& options) {
  const PortContext plan(view, options.ports);
  const auto now = leaves_of(plan.links());
  if (!now) return tl::unexpected(now.error());
  StepTables tables = takes_search(plan, now->rank, options.connect_roots)
                          ? route_as_opensm(plan, dnup_search(plan, now->rank, options.connect_roots))
                          : route_away_from_leaves(common::Rerouting(plan), *now, options.connect_roots);
  put_first(tables.remarks, plan.remarks());
  return tables;
}

}  // namespace rch::engines::updn
