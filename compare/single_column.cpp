#include "compare/single_column.h"

#include <algorithm>

namespace rch::compare {

void SingleColumn::build(const std::uint8_t* entries, const Target& target) {
  entries_ = entries;
  target_ = target;
  std::ranges::fill(depth_, kNotWalked);
  for (std::uint32_t sw = 0; sw < depth_.size(); ++sw) {
    path_.clear();
    std::uint32_t at = sw;
    std::int32_t end = kLost;
    while (true) {
      if (depth_[at] != kNotWalked) {
        end = depth_[at];
        break;
      }
      depth_[at] = kLost;  // so that a loop ends here
      path_.push_back(at);
      const std::uint16_t to = onward_.at(at, entry(at));
      if (to == Onward::kOut) {
        end = at == target_.sw && entry(at) == target_.attach ? 0 : kLost;
        break;
      }
      at = to;
    }
    for (auto back = path_.rbegin(); back != path_.rend(); ++back)
      depth_[*back] = end == kLost ? kLost : ++end;
  }
}

void SingleColumn::sum_up(PairSums& sums) const {
  for (std::uint32_t sw = 0; sw < depth_.size(); ++sw) {
    const auto hosts =
        static_cast<std::uint32_t>(wiring_.sources_of(sw).size() - (sw == target_.sw ? 1U : 0U));
    if (hosts == 0 || !arrives_from(sw)) continue;
    const auto hops = static_cast<std::size_t>(depth_[sw]) + 1;
    if (sums.hops.size() <= hops) sums.hops.resize(hops + 1);
    sums.hops[hops] += hosts;
    for (std::uint32_t at = sw; next(at) != Onward::kOut; at = next(at))
      sums.flows[wiring_.slot(at, entry(at))] += hosts;
  }
}

}  // namespace rch::compare
