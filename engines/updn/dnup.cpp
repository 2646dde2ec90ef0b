#include <optional>
#include <utility>

#include "engines/updn/course.h"
#include "engines/updn/up_down.h"
#include "engines/updn/updn.h"

namespace rch::engines::updn {
namespace {

using common::PortContext;
using common::WeightedGraph;

tl::expected<Course, EngineFailure> find_course(const WeightedGraph& links) {
  const StartsResult starts = leaves(links.view());
  if (!starts) return tl::unexpected(starts.error());
  std::vector<std::uint32_t> rank = ranks(links.graph(), starts->switches);
  Orientation orientation = away_from_leaves(links.graph(), rank, numbers(links.view(), {}));
  return Course(links, std::move(rank), std::move(orientation));
}

/// What the installed tables went by; nothing if every entry is selected again.
std::optional<Course> installed_course(const common::Rerouting& rerouting, bool connect_roots) {
  if (connect_roots || !rerouting.is_incremental()) return std::nullopt;
  auto before = find_course(rerouting.before());
  return before ? std::optional(std::move(*before)) : std::nullopt;
}

}  // namespace

EngineResult route_dnup(const fabric::SubFabric& view, const DnupOptions& options) {
  const PortContext context(view, options.ports);
  const auto now = find_course(context.links());
  if (!now) return tl::unexpected(now.error());
  const auto search = [&] { return opensm_compat::search_dnup(context, now->ranks, options.connect_roots); };
  const common::Rerouting rerouting(context);
  StepTables tables = needs_search(context, now->ranks, options.connect_roots)
                          ? select_by_search(context, search())
                          : route_along(rerouting, installed_course(rerouting, options.connect_roots), *now,
                                        options.connect_roots, search);
  prepend(tables.remarks, context.remarks());
  return tables;
}

}  // namespace rch::engines::updn
