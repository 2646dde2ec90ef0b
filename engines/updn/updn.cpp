#include "engines/updn/updn.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "engines/common/distances.h"
#include "engines/minhop/minhop.h"
#include "engines/updn/course.h"
#include "engines/updn/up_down.h"

namespace rch::engines::updn {
namespace {

using common::PortContext;
using common::WeightedGraph;

/// Hops from every switch to those with hosts, by which roots are detected.
HopMatrix hops_to_hosts(const WeightedGraph& links, bool by_weights, bool as_opensm) {
  const std::vector<SwitchId> leaves = switches_with_hosts(links.view(), as_opensm);
  if (!by_weights || links.weights().empty()) return common::distances_to(links.graph(), leaves);
  const HopMatrix all = common::distances(links);
  HopMatrix hops{leaves.size(), {}};
  for (std::uint32_t s = 0; s < all.switch_count; ++s)
    for (SwitchId leaf : leaves) hops.hops.push_back(all.at(SwitchId(s), leaf));
  return hops;
}

StartsResult detect_roots(const WeightedGraph& links, const Options& options) {
  const opensm_compat::Rules& rules = opensm_compat::rules(options.ports.compat);
  const bool as_opensm = rules.takes_all_root_candidates;
  return detected_roots(links.view(), hops_to_hosts(links, rules.detects_roots_by_weights, as_opensm),
                        as_opensm);
}

/// What the earlier run found by itself, if this one may keep it. OpenSM finds roots anew.
std::span<const Guid> roots_to_keep(const Options& options) {
  if (!options.roots.empty() || options.ports.compat) return {};
  return options.earlier.guids;
}

StartsResult find_roots(const WeightedGraph& links, const Options& options) {
  if (!options.roots.empty()) return named_roots(links.view(), options.roots);
  StartsResult detected = detect_roots(links, options);
  std::vector<SwitchId> kept = present_roots(links.view(), roots_to_keep(options));
  if (kept.empty()) return detected;
  return kept_roots(links.view(), std::move(kept), detected, *options.earlier.view);
}

/// The roots of the installed tables.
StartsResult installed_roots(const WeightedGraph& links, const Options& options) {
  if (!options.roots.empty()) return named_roots(links.view(), options.roots);
  Starts starts;
  for (const SwitchId sw : present_roots(links.view(), roots_to_keep(options)))
    starts.switches.push_back({sw});
  return starts.switches.empty() ? detect_roots(links, options) : starts;
}

Course course_of(const WeightedGraph& links, const Starts& roots, const Options& options) {
  std::vector<std::uint32_t> rank = ranks(links.graph(), roots.switches);
  Orientation orientation = towards_roots(rank, numbers(links.view(), options.ids));
  return {links, std::move(rank), std::move(orientation), options.one_order};
}

/// What the installed tables went by; nothing if every entry is selected again. Joined pairs take any path,
/// so with `connect_roots` nothing is taken over.
std::optional<Course> installed_course(const common::Rerouting& rerouting, const Options& options) {
  if (!rerouting.is_incremental() || options.connect_roots) return std::nullopt;
  const StartsResult roots = installed_roots(rerouting.before(), options);
  if (!roots) return std::nullopt;
  return course_of(rerouting.before(), *roots, options);
}

opensm_compat::UpdnSearch search_paths(const PortContext& context, std::span<const std::uint32_t> ranks,
                                       const Options& options) {
  std::optional<HopMatrix> shortest;
  if (options.connect_roots) shortest = common::distances(context.links());
  return opensm_compat::search_updn(context, ranks, numbers(context.view(), options.ids),
                                    shortest ? &*shortest : nullptr);
}

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  if (auto direct = minhop::route_unlinked(view)) return std::move(*direct);
  const PortContext context(view, options.ports);
  const common::Rerouting rerouting(context);
  std::optional<StartsResult> roots;
  std::optional<Course> before;
  parallel_tasks([&] { roots = find_roots(context.links(), options); },
                 [&] { before = installed_course(rerouting, options); });
  if (!*roots) return tl::unexpected((*roots).error());
  const Course now = course_of(context.links(), **roots, options);
  const auto search = [&] { return search_paths(context, now.ranks, options); };
  StepTables tables = needs_search(context, now.ranks, options.connect_roots)
                          ? select_by_search(context, search())
                          : route_along(rerouting, before, now, options.connect_roots, search);
  if (options.roots.empty())
    for (const Start& root : (*roots)->switches) tables.found_roots.push_back(view.node(root.sw).guid);
  if (!options.ports.compat && !options.connect_roots)
    tables.up_order.assign(now.orientation.order().begin(), now.orientation.order().end());
  prepend(tables.remarks, (*roots)->remarks);
  prepend(tables.remarks, context.remarks());
  return tables;
}

}  // namespace rch::engines::updn
