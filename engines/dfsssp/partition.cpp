#include "engines/dfsssp/partition.h"

#include <algorithm>
#include <numeric>

namespace rch::engines::dfsssp {
namespace {

SwitchId id(std::size_t index) { return SwitchId(static_cast<std::uint32_t>(index)); }

SwitchId central(const HopMatrix& hops, std::size_t place) {
  std::vector<std::pair<std::uint64_t, SwitchId>> sums;
  for (std::size_t s = 0; s < hops.switch_count; ++s) {
    const auto row = hops.row(id(s));
    sums.emplace_back(std::accumulate(row.begin(), row.end(), std::uint64_t{0}), id(s));
  }
  std::ranges::sort(sums);
  return sums[place % sums.size()].second;
}

std::vector<SwitchId> select_centres(const HopMatrix& hops, std::size_t count, std::size_t variant) {
  std::vector<SwitchId> centres{central(hops, variant)};
  std::vector<std::uint8_t> nearest(hops.switch_count, HopMatrix::kUnknown);
  while (true) {
    const auto row = hops.row(centres.back());
    for (std::size_t s = 0; s < row.size(); ++s) nearest[s] = std::min(nearest[s], row[s]);
    const auto farthest = std::ranges::max_element(nearest);
    if (centres.size() == count || *farthest == 0) return centres;
    centres.push_back(id(static_cast<std::size_t>(farthest - nearest.begin())));
  }
}

/// A switch and a centre, ordered by distance.
struct Pair {
  std::uint8_t hops;
  std::uint32_t sw;
  std::uint8_t part;
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

}  // namespace

Partition partition_destinations(const HopMatrix& hops, std::size_t count, std::size_t variant) {
  constexpr std::uint8_t kNone = 255;
  Partition partition{select_centres(hops, count, variant),
                      std::vector<std::uint8_t>(hops.switch_count, kNone)};
  const std::size_t parts = partition.centres.size();
  std::vector<Pair> pairs;
  for (std::uint32_t s = 0; s < hops.switch_count; ++s)
    for (std::size_t p = 0; p < parts; ++p)
      pairs.push_back({hops.at(partition.centres[p], SwitchId(s)), s, static_cast<std::uint8_t>(p)});
  std::ranges::sort(pairs);
  std::vector<std::size_t> free(parts, (hops.switch_count + parts - 1) / parts);
  for (const Pair& pair : pairs) {
    if (partition.part_of[pair.sw] != kNone || free[pair.part] == 0) continue;
    partition.part_of[pair.sw] = pair.part;
    --free[pair.part];
  }
  return partition;
}

}  // namespace rch::engines::dfsssp
