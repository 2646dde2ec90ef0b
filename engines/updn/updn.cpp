#include "engines/updn/updn.h"

#include <optional>
#include <utility>

#include "base/parallel.h"
#include "engines/common/distances.h"
#include "engines/updn/up_down.h"

namespace rch::engines::updn {
namespace {

using common::PortContext;
using common::WeightedGraph;

/// Hops from every switch to those with hosts, by which roots are detected.
HopMatrix hops_to_hosts(const WeightedGraph& links, bool by_weights) {
  const std::vector<SwitchId> leaves = switches_with_hosts(links.view());
  if (!by_weights || links.weights().empty()) return common::distances_to(links.graph(), leaves);
  const HopMatrix all = common::distances(links);
  HopMatrix hops{leaves.size(), {}};
  for (std::uint32_t s = 0; s < all.switch_count; ++s)
    for (SwitchId leaf : leaves) hops.hops.push_back(all.at(SwitchId(s), leaf));
  return hops;
}

StartsResult find_roots(const WeightedGraph& links, const Options& options) {
  if (!options.roots.empty()) return named_roots(links.view(), options.roots);
  const opensm_compat::Rules& rules = opensm_compat::rules(options.ports.compat);
  return detected_roots(links.view(), hops_to_hosts(links, rules.detects_roots_by_weights),
                        rules.takes_all_root_candidates);
}

/// The orientation of the installed tables; nothing if every entry is selected again. Joined pairs take any
/// path, so with `connect_roots` nothing is taken over.
std::optional<Orientation> installed_orientation(const common::Rerouting& rerouting, const Options& options) {
  if (!rerouting.is_incremental() || options.connect_roots) return std::nullopt;
  const WeightedGraph& before = rerouting.before();
  const StartsResult roots = find_roots(before, options);
  if (!roots) return std::nullopt;
  return towards_roots(ranks(before.graph(), roots->switches), numbers(before.view(), options.ids));
}

StepTables route_by_search(const PortContext& context, std::span<const std::uint32_t> ranks,
                           const Options& options) {
  std::optional<HopMatrix> shortest;
  if (options.connect_roots) shortest = common::distances(context.links());
  return select_by_search(context,
                          opensm_compat::search_updn(context, ranks, numbers(context.view(), options.ids),
                                                     shortest ? &*shortest : nullptr));
}

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  const PortContext context(view, options.ports);
  const common::Rerouting rerouting(context);
  std::optional<StartsResult> roots;
  std::optional<Orientation> before;
  parallel_tasks([&] { roots = find_roots(context.links(), options); },
                 [&] { before = installed_orientation(rerouting, options); });
  if (!*roots) return tl::unexpected((*roots).error());
  const auto rank = ranks(context.graph(), (*roots)->switches);
  const Orientation now = towards_roots(rank, numbers(view, options.ids));
  StepTables tables = needs_search(context, rank, options.connect_roots)
                          ? route_by_search(context, rank, options)
                      : before ? reroute_up_down(rerouting, *before, now)
                               : route_up_down(context, now, options.connect_roots);
  prepend(tables.remarks, (*roots)->remarks);
  prepend(tables.remarks, context.remarks());
  return tables;
}

}  // namespace rch::engines::updn
