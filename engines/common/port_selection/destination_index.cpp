#include "engines/common/port_selection/destination_index.h"

#include <algorithm>
#include <numeric>

namespace rch::engines::common {

DestinationIndex::DestinationIndex(const PortContext& context)
    : order_(context.destinations()), counts_switches_(context.options().port_profile_switch_nodes) {
  list_runs();
  if (!context.options().installed) return;
  list_groups(context.graph().switch_count());
  list_lids(context.view().fabric().max_lid());
}

void DestinationIndex::list_runs() {
  const std::vector<Destination>& all = order_.all;
  run_end_.resize(all.size());
  for (std::size_t i = all.size(); i-- > 0;) {
    const bool goes_on = i + 1 < all.size() && all[i + 1].base.value == all[i].base.value + 1;
    run_end_[i] = goes_on ? run_end_[i + 1] : static_cast<std::uint32_t>(i + 1);
  }
}

void DestinationIndex::list_groups(std::size_t switches) {
  const std::vector<DestinationGroup>& groups = order_.groups;
  groups_.resize(groups.size());
  std::iota(groups_.begin(), groups_.end(), 0U);
  by_switch_ = groups_;
  std::ranges::stable_sort(by_switch_, {}, [&](std::uint32_t g) { return groups[g].sw; });
  auto at = by_switch_.begin();
  for (std::uint32_t s = 0; s <= switches; ++s) {
    at = std::find_if(at, by_switch_.end(), [&](std::uint32_t g) { return groups[g].sw.value >= s; });
    begin_.push_back(static_cast<std::uint32_t>(at - by_switch_.begin()));
  }
}

void DestinationIndex::list_lids(Lid max_lid) {
  enum class Use : std::uint8_t { none, uncounted, counted };
  std::vector<Use> uses(max_lid.index() + 1, Use::none);
  for (const DestinationGroup& group : order_.groups)
    for (const Destination& to : order_.destinations(group)) {
      std::fill_n(uses.begin() + to.base.value, std::size_t{1} << to.lmc, Use::uncounted);
      if (counts(group)) uses[to.base.index()] = Use::counted;
    }
  for (std::size_t lid = 1; lid < uses.size(); ++lid)
    if (uses[lid] == Use::none) unassigned_lids_.push_back(Lid(static_cast<std::uint16_t>(lid)));
  for (std::size_t lid = 0; lid < uses.size(); ++lid) {
    if (uses[lid] != Use::counted) continue;
    if (counted_lids_.empty() || counted_lids_.back().end != lid) counted_lids_.push_back({lid, lid});
    ++counted_lids_.back().end;
  }
}

}  // namespace rch::engines::common
