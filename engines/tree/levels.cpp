#include "engines/tree/levels.h"

#include <algorithm>
#include <optional>

#include "engines/updn/orientation.h"
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
  const auto repeated = std::ranges::unique(cas);
  cas.erase(repeated.begin(), repeated.end());
  if (view.switch_count() >= 2 && cas.size() >= 2) return std::nullopt;
  return EngineFailure{
      .rule = "too-small",
      .message =
          fmt::format("{} and {}: a tree needs two of each",
                      view.switch_count() == 1 ? "1 switch" : fmt::format("{} switches", view.switch_count()),
                      common::counted(cas.size(), "CA")),
      .guids = {}};
}

/// The switches at the greatest distance from all CAs.
std::vector<SwitchId> farthest_from_cas(const fabric::SubFabric& view) {
  const auto distance = updn::ranks(view.graph(), switches_with_cas(view));
  std::uint32_t greatest = 0;
  for (std::uint32_t d : distance)
    if (d != updn::kUnranked) greatest = std::max(greatest, d);
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
    levels.remarks.push_back(
        fmt::format("{} switches cannot be reached from the roots and are left out, with {}: {} first",
                    switches, common::counted(ends, "end port"), example));
}

Levels from_roots(const fabric::SubFabric& view, std::span<const SwitchId> roots) {
  Levels levels;
  for (std::uint32_t rank : updn::ranks(view.graph(), roots)) {
    levels.rank.push_back(static_cast<std::uint8_t>(std::min<std::uint32_t>(rank, kUnranked)));
    if (rank < kUnranked) levels.lowest = std::max(levels.lowest, levels.rank.back());
  }
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
    updn::StartsResult named = updn::named_roots(view, roots);
    if (!named) return tl::unexpected(std::move(named.error()));
    starts = std::move(named->switches);
    remarks = std::move(named->remarks);
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
