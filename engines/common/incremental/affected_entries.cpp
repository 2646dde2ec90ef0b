#include "engines/common/incremental/affected_entries.h"

#include <algorithm>
#include <utility>

#include "engines/common/distances.h"

namespace rch::engines::common {

AffectedEntries::AffectedEntries(const Rerouting& rerouting, std::vector<ChangedHop> changed)
    : rerouting_(rerouting), changed_(std::move(changed)) {
  const std::size_t count = rerouting.now().graph().switch_count();
  std::erase_if(changed_,
                [&](const ChangedHop& hop) { return hop.from.index() >= count || hop.to.index() >= count; });
  std::ranges::sort(changed_);
  std::uint32_t at = 0;
  for (std::uint32_t s = 0; s <= count; ++s) {
    while (at < changed_.size() && changed_[at].from.value < s) ++at;
    begin_.push_back(at);
  }
}

void AffectedEntries::list(SwitchId sw, std::vector<SwitchId>& destinations) const {
  destinations.assign(changes().with_new_lids().begin(), changes().with_new_lids().end());
  const auto add = [&](SwitchId from) {
    for (const ChangedHop& hop : changed_from(from)) destinations.push_back(hop.to);
  };
  add(sw);
  for (const fabric::Neighbor& n : rerouting_.now().graph().neighbors(sw)) add(n.sw);
  std::ranges::sort(destinations);
  destinations.erase(std::unique(destinations.begin(), destinations.end()), destinations.end());
}

Distances find_distances(const Rerouting& rerouting) {
  if (!rerouting.is_incremental()) return {distances(rerouting.now().links()), std::nullopt};
  UpdatedHops hops = update_distances(rerouting);
  return {std::move(hops.now),
          std::optional<AffectedEntries>(std::in_place, rerouting, std::move(hops.changed))};
}

}  // namespace rch::engines::common
