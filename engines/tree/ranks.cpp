#include "engines/tree/ranks.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "engines/updn/roots.h"
#include "fabric/aggregation_nodes.h"

namespace rch::engines::tree {
namespace {

using common::Attempt;
using common::refuse;

bool is_ca(const fabric::SubFabric& view, const fabric::EndPort& end) {
  return view.fabric().node(view.fabric().port(end.port).node).type == fabric::NodeType::ca;
}

bool is_aggregation_node(const fabric::SubFabric& view, const fabric::EndPort& end) {
  return fabric::is_aggregation_node(view.fabric().node(view.fabric().port(end.port).node));
}

/// With aggregation nodes only where there are no other CAs, or `as_opensm`.
std::vector<SwitchId> switches_with_cas(const fabric::SubFabric& view, bool as_opensm) {
  std::vector<SwitchId> found;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    if (std::ranges::any_of(view.end_ports_of(SwitchId(s)), [&](const auto& end) {
          return is_ca(view, end) && (as_opensm || !is_aggregation_node(view, end));
        }))
      found.push_back(SwitchId(s));
  return found.empty() && !as_opensm ? switches_with_cas(view, true) : found;
}

std::optional<EngineFailure> too_small(const fabric::SubFabric& view) {
  std::vector<NodeId> cas;
  for (const fabric::EndPort& end : view.end_ports())
    if (is_ca(view, end)) cas.push_back(view.fabric().port(end.port).node);
  std::ranges::sort(cas);
  cas.erase(std::unique(cas.begin(), cas.end()), cas.end());
  if (view.switch_count() >= 2 && cas.size() >= 2) return std::nullopt;
  return EngineFailure{
      .rule = "too-small",
      .message = fmt::format("{} and {}: a tree needs two of each", counted(view.switch_count(), "switch"),
                             counted(cas.size(), "CA")),
      .guids = {}};
}

/// Hops to the nearest of `starts`.
std::vector<std::uint8_t> hops_from(const fabric::SwitchGraph& graph, std::span<const SwitchId> starts) {
  std::vector<std::uint8_t> hops(graph.switch_count(), kUnranked);
  std::vector<SwitchId> queue(starts.begin(), starts.end());
  for (SwitchId start : starts) hops[start.index()] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const fabric::Neighbor& n : graph.neighbors(queue[i])) {
      const auto next = static_cast<std::uint8_t>(hops[queue[i].index()] + 1);
      if (next == kUnranked || hops[n.sw.index()] <= next) continue;
      hops[n.sw.index()] = next;
      queue.push_back(n.sw);
    }
  return hops;
}

/// The switches at the greatest distance from all CAs.
std::vector<SwitchId> farthest_from_cas(const fabric::SubFabric& view, bool as_opensm) {
  const std::vector<std::uint8_t> distance = hops_from(view.graph(), switches_with_cas(view, as_opensm));
  std::uint8_t greatest = 0;
  for (std::uint8_t d : distance)
    if (d != kUnranked) greatest = std::max(greatest, d);
  std::vector<SwitchId> found;
  for (std::uint32_t s = 0; s < distance.size(); ++s)
    if (distance[s] == greatest) found.push_back(SwitchId(s));
  return found;
}

/// Tells of switches without a path to a root, and of their end ports: no route leads there from another
/// switch.
void remark_on_unranked(const fabric::SubFabric& view, Ranks& ranks) {
  std::size_t switches = 0, ends = 0;
  std::string example;
  for (std::uint32_t s = 0; s < ranks.of.size(); ++s) {
    if (ranks.of[s] != kUnranked) continue;
    if (switches++ == 0) example = common::title(view, SwitchId(s));
    ends += view.end_ports_of(SwitchId(s)).size();
  }
  if (switches != 0)
    ranks.remarks.push_back(fmt::format("{} without a path to the roots, with {}: {} first",
                                        counted(switches, "switch"), counted(ends, "end port"), example));
}

struct Roots {
  std::vector<SwitchId> switches;
  std::vector<std::string> remarks;
};

Attempt<Roots> find_roots(const fabric::SubFabric& view, std::span<const Guid> guids, bool as_opensm) {
  if (guids.empty()) return Roots{farthest_from_cas(view, as_opensm), {}};
  std::vector<Root> named;
  for (Guid guid : guids) named.push_back({guid, 0});
  updn::StartsResult found = updn::named_roots(view, named);
  if (!found) return tl::unexpected(std::move(found.error()));
  Roots roots{{}, std::move(found->remarks)};
  for (const updn::Start& start : found->switches) roots.switches.push_back(start.sw);
  return roots;
}

}  // namespace

Attempt<Ranks> rank_switches(const fabric::SubFabric& view, std::span<const Guid> guids, bool as_opensm) {
  if (auto failure = too_small(view)) return tl::unexpected(std::move(*failure));
  auto roots = find_roots(view, guids, as_opensm);
  if (!roots) return tl::unexpected(std::move(roots.error()));
  Ranks ranks{hops_from(view.graph(), roots->switches), 0, std::move(roots->remarks)};
  for (std::uint8_t rank : ranks.of)
    if (rank != kUnranked) ranks.max = std::max(ranks.max, rank);
  if (ranks.max == 0 && roots->switches.size() > 1)
    return refuse(
        "one-level",
        fmt::format("{} switches and no level above or below them: {} first{}", roots->switches.size(),
                    common::title(view, roots->switches.front()),
                    guids.empty() ? "; every switch has CAs, name the roots in `root_guid_file`" : ""),
        {view.node(roots->switches.front()).guid});
  remark_on_unranked(view, ranks);
  return ranks;
}

}  // namespace rch::engines::tree
