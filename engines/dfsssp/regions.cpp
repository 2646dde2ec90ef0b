#include "engines/dfsssp/regions.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace rch::engines::dfsssp {
namespace {

SwitchId id(std::size_t index) { return SwitchId(static_cast<std::uint32_t>(index)); }

SwitchId most_central(const HopMatrix& hops) {
  std::vector<std::uint64_t> sums(hops.switch_count);
  for (std::size_t s = 0; s < sums.size(); ++s) {
    const auto row = hops.row(id(s));
    sums[s] = std::accumulate(row.begin(), row.end(), std::uint64_t{0});
  }
  return id(static_cast<std::size_t>(std::ranges::min_element(sums) - sums.begin()));
}

std::vector<SwitchId> pick_centres(const HopMatrix& hops, std::size_t count) {
  std::vector<SwitchId> centres{most_central(hops)};
  std::vector<std::uint8_t> nearest(hops.switch_count, HopMatrix::kUnknown);
  while (true) {
    const auto row = hops.row(centres.back());
    for (std::size_t s = 0; s < row.size(); ++s) nearest[s] = std::min(nearest[s], row[s]);
    const auto farthest = std::ranges::max_element(nearest);
    if (centres.size() == count || *farthest == 0) return centres;
    centres.push_back(id(static_cast<std::size_t>(farthest - nearest.begin())));
  }
}

/// A pair of switch and centre, nearest first.
struct Claim {
  std::uint8_t hops;
  std::uint32_t sw;
  std::uint8_t region;
  friend auto operator<=>(const Claim&, const Claim&) = default;
};

}  // namespace

Regions cut_into_regions(const HopMatrix& hops, std::size_t count) {
  constexpr std::uint8_t kNone = 255;
  Regions regions{pick_centres(hops, count), std::vector<std::uint8_t>(hops.switch_count, kNone)};
  std::vector<Claim> claims;
  for (std::uint32_t s = 0; s < hops.switch_count; ++s)
    for (std::size_t r = 0; r < regions.centres.size(); ++r)
      claims.push_back({hops.at(regions.centres[r], SwitchId(s)), s, static_cast<std::uint8_t>(r)});
  std::ranges::sort(claims);
  std::vector<std::size_t> room(regions.centres.size(),
                                (hops.switch_count + regions.centres.size() - 1) / regions.centres.size());
  for (const Claim& claim : claims) {
    if (regions.of[claim.sw] != kNone || room[claim.region] == 0) continue;
    regions.of[claim.sw] = claim.region;
    --room[claim.region];
  }
  return regions;
}

}  // namespace rch::engines::dfsssp
