#include "engines/updn/updn.h"

#include <iterator>
#include <optional>

#include "engines/common/destinations.h"
#include "engines/common/distances.h"
#include "engines/common/port_choice.h"
#include "engines/updn/legal_paths.h"
#include "engines/updn/opensm_search.h"
#include "engines/updn/pairs.h"
#include "engines/updn/roots.h"

namespace rch::engines::updn {
namespace {

fabric::ForwardingTables choose(const fabric::SubFabric& view, const common::CandidateRule& rule,
                                bool count_switch_lids) {
  return common::choose_ports({view, rule, common::destination_order(view), count_switch_lids});
}

/// Along an orientation, whatever it is made of.
StepTables route_legally(const fabric::SubFabric& view, const Orientation& orientation,
                         const DnupOptions& flags) {
  StepTables tables;
  LegalHops legal = legal_hops(view.graph(), orientation);
  tables.remarks = remarks_on_pairs(view, legal.all, flags.connect_roots);
  std::optional<HopMatrix> joined;
  if (flags.connect_roots) joined = joined_hops(view.graph(), legal.all);
  const LegalPaths rule(view.graph(), orientation, legal, joined ? &*joined : nullptr);
  tables.lfts = choose(view, rule, flags.count_switch_lids);
  tables.hops = joined ? std::move(*joined) : std::move(legal.all);
  return tables;
}

StepTables route_as_opensm(const fabric::SubFabric& view, std::span<const std::uint32_t> ranks,
                           const Options& options) {
  StepTables tables;
  std::optional<HopMatrix> shortest;
  if (options.connect_roots) shortest = common::distances(view.graph());
  const OpenSmSearch search(view, ranks, shortest ? &*shortest : nullptr);
  tables.lfts = choose(view, search, options.count_switch_lids);
  tables.hops = search.hops();
  tables.remarks = remarks_on_pairs(view, search.hops(), false);
  return tables;
}

void put_first(std::vector<std::string>& remarks, std::vector<std::string> first) {
  remarks.insert(remarks.begin(), std::make_move_iterator(first.begin()),
                 std::make_move_iterator(first.end()));
}

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  StartsResult roots = options.roots.empty()
                           ? detected_roots(view, common::distances(view.graph()), options.compat)
                           : named_roots(view, options.roots);
  if (!roots) return tl::unexpected(std::move(roots.error()));
  const auto rank = ranks(view.graph(), roots->switches);
  StepTables tables = options.compat ? route_as_opensm(view, rank, options)
                                     : route_legally(view, towards_roots(view, rank),
                                                     {options.connect_roots, options.count_switch_lids});
  put_first(tables.remarks, std::move(roots->remarks));
  return tables;
}

EngineResult route_dnup(const fabric::SubFabric& view, const DnupOptions& options) {
  const StartsResult starts = leaves(view);
  if (!starts) return tl::unexpected(starts.error());
  const auto rank = ranks(view.graph(), starts->switches);
  return route_legally(view, away_from_leaves(view, rank), options);
}

}  // namespace rch::engines::updn
