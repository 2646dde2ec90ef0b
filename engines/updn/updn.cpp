#include "engines/updn/updn.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

#include "engines/common/distances.h"
#include "engines/common/earlier_plan.h"
#include "engines/common/port_choice.h"
#include "engines/updn/legal_paths.h"
#include "engines/updn/opensm_search.h"
#include "engines/updn/pairs.h"
#include "engines/updn/roots.h"

namespace rch::engines::updn {
namespace {

using common::PortPlan;

struct LegalRoutes {
  LegalRoutes(const fabric::SwitchGraph& graph, Orientation o, bool connect_roots)
      : orientation(std::move(o)), legal(legal_hops(graph, orientation)) {
    if (connect_roots) joined = joined_hops(graph, legal.all);
  }

  Orientation orientation;
  LegalHops legal;
  std::optional<HopMatrix> joined;  ///< with the pairs that have no legal way
};

using Orient = std::function<std::optional<Orientation>(const PortPlan&)>;

/// All cables of the fabric must lead up and down as they did.
common::Settled settled(const PortPlan& plan, const LegalRoutes& now, const Orient& orient) {
  const common::EarlierPlan earlier(plan);
  if (!earlier.comparable()) return {};
  auto orientation = orient(earlier.plan());
  if (!orientation || !std::ranges::equal(orientation->order(), now.orientation.order())) return {};
  const LegalRoutes before(earlier.plan().graph(), std::move(*orientation), now.joined.has_value());
  common::Settled same = earlier.settled(before.legal.down, now.legal.down);
  same &= earlier.settled(before.legal.all, now.legal.all);
  if (now.joined) same &= earlier.settled(*before.joined, *now.joined);
  return same;
}

/// Along an orientation, whatever it is made of.
StepTables route_legally(const PortPlan& plan, const Orient& orient, bool connect_roots) {
  StepTables tables;
  LegalRoutes routes(plan.graph(), *orient(plan), connect_roots);
  tables.remarks = remarks_on_pairs(plan.view(), routes.legal.all, connect_roots);
  const LegalPaths rule(plan.graph(), routes.orientation, routes.legal,
                        routes.joined ? &*routes.joined : nullptr);
  tables.lfts = common::choose_ports({plan, rule, common::Diversity::systems, settled(plan, routes, orient)});
  tables.hops = routes.joined ? std::move(*routes.joined) : std::move(routes.legal.all);
  return tables;
}

StepTables route_as_opensm(const PortPlan& plan, const OpenSmSearch& search) {
  StepTables tables;
  tables.lfts = common::choose_ports({plan, search});
  tables.hops = search.hops();
  tables.remarks = remarks_on_pairs(plan.view(), search.hops(), false);
  return tables;
}

/// Where no cable joins equal ranks OpenSM's search finds the legal routes and no others, for a way that goes
/// down alone is then the shortest of all; so it is needed elsewhere only.
bool takes_search(const PortPlan& plan, std::span<const std::uint32_t> rank, bool connect_roots) {
  return plan.options().compat && (connect_roots || !is_graded(plan.graph(), rank));
}

StartsResult roots_of(const PortPlan& plan, const Options& options) {
  if (!options.roots.empty()) return named_roots(plan.view(), options.roots);
  const bool compat = options.ports.compat;
  return detected_roots(plan.view(), compat ? common::distances(plan) : common::distances(plan.graph()),
                        compat);
}

StepTables route_by_ranks(const PortPlan& plan, std::span<const std::uint32_t> rank, const Options& options) {
  if (!takes_search(plan, rank, options.connect_roots)) {
    const auto orient = [&](const PortPlan& other) -> std::optional<Orientation> {
      const auto number = numbers(other.view(), options.ids);
      if (&other == &plan) return towards_roots(rank, number);
      const StartsResult roots = roots_of(other, options);
      if (!roots) return std::nullopt;
      return towards_roots(ranks(other.graph(), roots->switches), number);
    };
    return route_legally(plan, orient, options.connect_roots);
  }
  std::optional<HopMatrix> shortest;
  if (options.connect_roots) shortest = common::distances(plan);
  return route_as_opensm(
      plan, updn_search(plan, rank, numbers(plan.view(), options.ids), shortest ? &*shortest : nullptr));
}

void put_first(std::vector<std::string>& remarks, const std::vector<std::string>& first) {
  remarks.insert(remarks.begin(), first.begin(), first.end());
}

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  const PortPlan plan(view, options.ports);
  const StartsResult roots = roots_of(plan, options);
  if (!roots) return tl::unexpected(roots.error());
  StepTables tables = route_by_ranks(plan, ranks(plan.graph(), roots->switches), options);
  put_first(tables.remarks, roots->remarks);
  put_first(tables.remarks, plan.remarks());
  return tables;
}

EngineResult route_dnup(const fabric::SubFabric& view, const DnupOptions& options) {
  const PortPlan plan(view, options.ports);
  const StartsResult starts = leaves(view);
  if (!starts) return tl::unexpected(starts.error());
  const auto rank = ranks(plan.graph(), starts->switches);
  const auto orient = [](const PortPlan& other) -> std::optional<Orientation> {
    const StartsResult lowest = leaves(other.view());
    if (!lowest) return std::nullopt;
    return away_from_leaves(other.graph(), ranks(other.graph(), lowest->switches), numbers(other.view(), {}));
  };
  StepTables tables = takes_search(plan, rank, options.connect_roots)
                          ? route_as_opensm(plan, dnup_search(plan, rank, options.connect_roots))
                          : route_legally(plan, orient, options.connect_roots);
  put_first(tables.remarks, plan.remarks());
  return tables;
}

}  // namespace rch::engines::updn
