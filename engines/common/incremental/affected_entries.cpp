#include "engines/common/incremental/affected_entries.h"

#include <algorithm>
#include <utility>

#include "engines/common/distances.h"

namespace rch::engines::common {

AffectedEntries::AffectedEntries(const EarlierPlan& earlier, std::vector<ChangedHop> moved)
    : earlier_(earlier), everywhere_(earlier.with_new_lids()), moved_(std::move(moved)) {
  const std::size_t count = earlier.now().graph().switch_count();
  std::erase_if(moved_,
                [&](const ChangedHop& m) { return m.from.index() >= count || m.to.index() >= count; });
  std::ranges::sort(moved_);
  std::uint32_t at = 0;
  for (std::uint32_t s = 0; s <= count; ++s) {
    while (at < moved_.size() && moved_[at].from.value < s) ++at;
    begin_.push_back(at);
  }
}

void AffectedEntries::list(SwitchId sw, std::vector<SwitchId>& destinations) const {
  destinations = everywhere_;
  const auto add = [&](SwitchId from) {
    for (const ChangedHop& m : moved_from(from)) destinations.push_back(m.to);
  };
  add(sw);
  for (const fabric::Neighbor& n : earlier_.now().graph().neighbors(sw)) add(n.sw);
  std::ranges::sort(destinations);
  destinations.erase(std::unique(destinations.begin(), destinations.end()), destinations.end());
}

Measured measure(const EarlierPlan& earlier) {
  if (!earlier.comparable()) return {distances(earlier.now()), std::nullopt};
  HopsSince since = distances(earlier);
  return {std::move(since.now),
          std::optional<AffectedEntries>(std::in_place, earlier, std::move(since.moved))};
}

}  // namespace rch::engines::common
