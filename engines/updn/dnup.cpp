#include <optional>
#include <utility>

#include "engines/minhop/minhop.h"
#include "engines/updn/course.h"
#include "engines/updn/up_down.h"
#include "engines/updn/updn.h"

namespace rch::engines::updn {
namespace {

using common::PortContext;
using common::WeightedGraph;

tl::expected<Course, EngineFailure> find_course(const WeightedGraph& links, bool as_opensm) {
  const StartsResult starts = leaves(links.view(), as_opensm);
  if (!starts) return tl::unexpected(starts.error());
  std::vector<std::uint32_t> rank = ranks(links.graph(), starts->switches);
  Orientation orientation = away_from_leaves(links.graph(), rank, numbers(links.view(), {}));
  return Course(links, std::move(rank), std::move(orientation), false);
}

/// What the installed tables went by; nothing if every entry is selected again.
std::optional<Course> installed_course(const common::Rerouting& rerouting, const DnupOptions& options) {
  if (options.connect_roots || !rerouting.is_incremental()) return std::nullopt;
  auto before = find_course(rerouting.before(), options.ports.compat);
  return before ? std::optional(std::move(*before)) : std::nullopt;
}

}  // namespace

EngineResult route_dnup(const fabric::SubFabric& view, const DnupOptions& options) {
  if (auto direct = minhop::route_unlinked(view)) return std::move(*direct);
  const PortContext context(view, options.ports);
  const auto now = find_course(context.links(), options.ports.compat);
  if (!now) return tl::unexpected(now.error());
  const auto search = [&] { return opensm_compat::search_dnup(context, now->ranks, options.connect_roots); };
  const common::Rerouting rerouting(context);
  StepTables tables =
      needs_search(context, now->ranks, options.connect_roots)
          ? select_by_search(context, search())
          : route_along(rerouting, installed_course(rerouting, options), *now, options.connect_roots, search);
  prepend(tables.remarks, context.remarks());
  return tables;
}

}  // namespace rch::engines::updn
