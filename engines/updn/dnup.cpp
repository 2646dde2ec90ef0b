#include <optional>
#include <utility>

#include "engines/updn/dnup_repair.h"
#include "engines/updn/up_down.h"
#include "engines/updn/updn.h"

namespace rch::engines::updn {
namespace {

using common::PortContext;
using common::WeightedGraph;

/// What dnup goes by on a fabric.
struct Leaves {
  std::vector<std::uint32_t> rank;
  Orientation orientation;
  bool repaired;  ///< the tables go through the repair pass
};

tl::expected<Leaves, EngineFailure> find_leaves(const WeightedGraph& links) {
  const StartsResult starts = leaves(links.view());
  if (!starts) return tl::unexpected(starts.error());
  std::vector<std::uint32_t> rank = ranks(links.graph(), starts->switches);
  Orientation orientation = away_from_leaves(links.graph(), rank, numbers(links.view(), {}));
  const bool repaired = can_repair(links, rank);
  return Leaves{std::move(rank), std::move(orientation), repaired};
}

/// Marks all entries as affected; nothing if all are selected again anyway.
std::optional<common::AffectedEntries> all_entries(const common::Rerouting& rerouting) {
  if (!rerouting.is_incremental()) return std::nullopt;
  std::vector<common::ChangedHop> all;
  const auto count = static_cast<std::uint32_t>(rerouting.now().graph().switch_count());
  for (std::uint32_t from = 0; from < count; ++from)
    for (std::uint32_t to = 0; to < count; ++to) all.push_back({SwitchId(from), SwitchId(to)});
  return std::optional<common::AffectedEntries>(std::in_place, rerouting, std::move(all));
}

/// The installed tables may come from either routing, so each of their entries is selected again.
StepTables route_with_repair(const common::Rerouting& rerouting, const Leaves& now) {
  const PortContext& context = rerouting.now();
  const std::optional<common::AffectedEntries> all = all_entries(rerouting);
  const common::AffectedEntries* const affected = all ? &*all : nullptr;
  StepTables ordered = route_up_down(context, now.orientation, false, affected);
  if (!now.repaired) return ordered;
  return repair_dnup(
      context, std::move(ordered),
      select_by_search(context, opensm_compat::search_dnup(context, now.rank, false), affected));
}

StepTables route_away_from_leaves(const common::Rerouting& rerouting, const Leaves& now, bool connect_roots) {
  if (connect_roots || !rerouting.is_incremental()) {
    if (now.repaired && !connect_roots) return route_with_repair(rerouting, now);
    return route_up_down(rerouting.now(), now.orientation, connect_roots);
  }
  const auto before = find_leaves(rerouting.before());
  if (now.repaired || (before && before->repaired)) return route_with_repair(rerouting, now);
  return before ? reroute_up_down(rerouting, before->orientation, now.orientation)
                : route_up_down(rerouting.now(), now.orientation, false);
}

}  // namespace

EngineResult route_dnup(const fabric::SubFabric& view, const DnupOptions& options) {
  const PortContext context(view, options.ports);
  const auto now = find_leaves(context.links());
  if (!now) return tl::unexpected(now.error());
  StepTables tables =
      needs_search(context, now->rank, options.connect_roots)
          ? select_by_search(context, opensm_compat::search_dnup(context, now->rank, options.connect_roots))
          : route_away_from_leaves(common::Rerouting(context), *now, options.connect_roots);
  prepend(tables.remarks, context.remarks());
  return tables;
}

}  // namespace rch::engines::updn
