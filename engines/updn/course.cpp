#include "engines/updn/course.h"

#include <utility>

#include "engines/updn/search_repair.h"
#include "engines/updn/up_down.h"

namespace rch::engines::updn {
namespace {

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
StepTables route_with_repair(const common::Rerouting& rerouting, const Course& now,
                             const std::function<opensm_compat::UpdnSearch()>& search) {
  const common::PortContext& context = rerouting.now();
  const std::optional<common::AffectedEntries> all = all_entries(rerouting);
  const common::AffectedEntries* const affected = all ? &*all : nullptr;
  StepTables ordered = route_up_down(context, now.orientation, false, affected);
  if (!now.repaired) return ordered;
  return repair_search(context, std::move(ordered), select_by_search(context, search(), affected));
}

}  // namespace

Course::Course(const common::WeightedGraph& links, std::vector<std::uint32_t> switch_ranks, Orientation order,
               bool one_order)
    : ranks(std::move(switch_ranks)),
      orientation(std::move(order)),
      repaired(!one_order && can_repair(links, ranks)) {}

StepTables route_along(const common::Rerouting& rerouting, const std::optional<Course>& before,
                       const Course& now, bool connect_roots,
                       const std::function<opensm_compat::UpdnSearch()>& search) {
  if (!connect_roots && (now.repaired || (before && before->repaired)))
    return route_with_repair(rerouting, now, search);
  if (before) return reroute_up_down(rerouting, before->orientation, now.orientation);
  return route_up_down(rerouting.now(), now.orientation, connect_roots);
}

}  // namespace rch::engines::updn
