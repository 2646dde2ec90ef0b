#include "engines/updn/updn.h"

#include <iterator>
#include <optional>

#include "engines/common/distances.h"
#include "engines/common/port_choice.h"
#include "engines/updn/legal_paths.h"
#include "engines/updn/opensm_search.h"
#include "engines/updn/pairs.h"
#include "engines/updn/roots.h"

namespace rch::engines::updn {
namespace {

using common::PortPlan;

/// Along an orientation, whatever it is made of.
StepTables route_legally(const PortPlan& plan, const Orientation& orientation, bool connect_roots) {
  StepTables tables;
  LegalHops legal = legal_hops(plan.graph(), orientation);
  tables.remarks = remarks_on_pairs(plan.view(), legal.all, connect_roots);
  std::optional<HopMatrix> joined;
  if (connect_roots) joined = joined_hops(plan.graph(), legal.all);
  const LegalPaths rule(plan.graph(), orientation, legal, joined ? &*joined : nullptr);
  tables.lfts = common::choose_ports({plan, rule});
  tables.hops = joined ? std::move(*joined) : std::move(legal.all);
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

StepTables route_by_ranks(const PortPlan& plan, std::span<const std::uint32_t> rank, const Options& options) {
  const auto number = numbers(plan.view(), options.ids);
  if (!takes_search(plan, rank, options.connect_roots))
    return route_legally(plan, towards_roots(rank, number), options.connect_roots);
  std::optional<HopMatrix> shortest;
  if (options.connect_roots) shortest = common::distances(plan);
  return route_as_opensm(plan, updn_search(plan, rank, number, shortest ? &*shortest : nullptr));
}

void put_first(std::vector<std::string>& remarks, const std::vector<std::string>& first) {
  remarks.insert(remarks.begin(), first.begin(), first.end());
}

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  const PortPlan plan(view, options.ports);
  const bool compat = options.ports.compat;
  StartsResult roots =
      options.roots.empty()
          ? detected_roots(view, compat ? common::distances(plan) : common::distances(plan.graph()), compat)
          : named_roots(view, options.roots);
  if (!roots) return tl::unexpected(std::move(roots.error()));
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
  StepTables tables =
      takes_search(plan, rank, options.connect_roots)
          ? route_as_opensm(plan, dnup_search(plan, rank, options.connect_roots))
          : route_legally(plan, away_from_leaves(rank, numbers(view, {})), options.connect_roots);
  put_first(tables.remarks, plan.remarks());
  return tables;
}

}  // namespace rch::engines::updn
