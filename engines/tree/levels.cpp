#include "engines/tree/levels.h"

#include <algorithm>
#include <optional>

#include "engines/updn/roots.h"

namespace rch::engines::tree {
namespace {

using common::Attempt;
using common::refuse;

bool is_ca(const fabric::SubFabric& view, const fabric::EndPort& end) {
  return view.fabric().node(view.fabric().port(end.port).node).type == fabric::NodeType::ca;
}

std::vector<SwitchId> switches_with_cas(const fabric::SubFabric& view) {
  std::vector<SwitchId> found;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    if (std::ranges::any_of(view.end_ports_of(SwitchId(s)),
                            [&](const auto& end) { return is_ca(view, end); }))
      found.push_back(SwitchId(s));
  return found;
}

std::optional<EngineFailure> too_small(const fabric::SubFabric& view) {
  std::vector<NodeId> cas;
  for (const fabric::EndPort& end : view.end_ports())
    if (is_ca(view, end)) cas.push_back(view.fabric().port(end.port).node);
  std::ranges::sort(cas);
  cas.erase(std::unique(cas.begin(), cas.end()), cas.end());
  if (view.switch_count() >= 2 && cas.size() >= 2) return std::nullopt;
  return EngineFailure{.rule = "too-small",
                       .message = fmt::format("{} and {}: a tree needs two of each",
                                              common::counted(view.switch_count(), "switch"),
                                              common::counted(cas.size(), "CA")),
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
std::vector<SwitchId> farthest_from_cas(const fabric::SubFabric& view) {
  const std::vector<std::uint8_t> distance = hops_from(view.graph(), switches_with_cas(view));
  std::uint8_t greatest = 0;
  for (std::uint8_t d : distance)
    if (d != kUnranked) greatest = std::max(greatest, d);
  std::vector<SwitchId> found;
  for (std::uint32_t s = 0; s < distance.size(); ++s)
    if (distance[s] == greatest) found.push_back(SwitchId(s));
  return found;
}

/// Switches and end ports that no route leads to.
void remark_on_unranked(const fabric::SubFabric& view, Levels& levels) {
  std::size_t switches = 0, ends = 0;
  std::string example;
  for (std::uint32_t s = 0; s < levels.rank.size(); ++s) {
    if (levels.rank[s] != kUnranked) continue;
    if (switches++ == 0) example = common::title(view, SwitchId(s));
    ends += view.end_ports_of(SwitchId(s)).size();
  }
  if (switches != 0)
    levels.remarks.push_back(fmt::format("{} without a way to the roots left out, with {}: {} first",
                                         common::counted(switches, "switch"),
                                         common::counted(ends, "end port"), example));
}

Levels from_roots(const fabric::SubFabric& view, std::span<const SwitchId> roots) {
  Levels levels;
  levels.rank = hops_from(view.graph(), roots);
  for (std::uint8_t rank : levels.rank)
    if (rank != kUnranked) levels.lowest = std::max(levels.lowest, rank);
  remark_on_unranked(view, levels);
  return levels;
}

}  // namespace

Attempt<Levels> levels(const fabric::SubFabric& view, std::span<const Guid> roots) {
  if (auto failure = too_small(view)) return tl::unexpected(std::move(*failure));
  std::vector<SwitchId> starts;
  std::vector<std::string> remarks;
  if (roots.empty()) {
    starts = farthest_from_cas(view);
  } else {
    std::vector<Root> named;
    for (Guid guid : roots) named.push_back({guid, 0});
    updn::StartsResult found = updn::named_roots(view, named);
    if (!found) return tl::unexpected(std::move(found.error()));
    for (const updn::Start& start : found->switches) starts.push_back(start.sw);
    remarks = std::move(found->remarks);
  }
  Levels found = from_roots(view, starts);
  if (found.lowest == 0 && starts.size() > 1)
    return refuse(
        "one-level",
        fmt::format("{} switches and no level above or below them: {} first{}", starts.size(),
                    common::title(view, starts.front()),
                    roots.empty() ? "; every switch has CAs, name the roots in `root_guid_file`" : ""),
        {view.node(starts.front()).guid});
  found.remarks.insert(found.remarks.begin(), remarks.begin(), remarks.end());
  return found;
}

}  // namespace rch::engines::tree
