#include "engines/multicast/roots.h"

#include <algorithm>

#include "base/parallel.h"

namespace rch::engines::multicast {
namespace {

/// Rank of a switch as a root, the least being best.
struct Merit {
  std::uint32_t out_of_reach = 0;  ///< switches with hosts
  std::uint8_t farthest = 0;       ///< hops to the farthest of the others

  friend auto operator<=>(const Merit&, const Merit&) = default;
};

std::vector<Merit> merits(const fabric::Fabric& fabric, const HopMatrix& hops) {
  std::vector<std::uint8_t> with_hosts(fabric.switch_count(), 0);
  for (const fabric::EndPort& host : fabric.end_ports()) with_hosts[host.sw.index()] = 1;
  std::vector<Merit> result(fabric.switch_count());
  parallel_ranges(fabric.switch_count(), 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) {
      const auto row = hops.row(SwitchId(static_cast<std::uint32_t>(s)));
      std::uint32_t out_of_reach = 0;
      std::uint8_t farthest = 0;
      for (std::size_t d = 0; d < row.size(); ++d) {
        const bool reached = row[d] != HopMatrix::kUnknown;
        out_of_reach += with_hosts[d] & static_cast<std::uint8_t>(!reached);
        farthest = std::max(farthest, static_cast<std::uint8_t>(reached && with_hosts[d] != 0 ? row[d] : 0));
      }
      result[s] = {out_of_reach, farthest};
    }
  });
  return result;
}

}  // namespace

std::vector<SwitchId> roots(const fabric::Fabric& fabric, const HopMatrix& hops, std::size_t count) {
  const std::vector<Merit> merit = merits(fabric, hops);
  std::vector<SwitchId> all;
  for (std::uint32_t s = 0; s < merit.size(); ++s) all.push_back(SwitchId(s));
  std::ranges::stable_sort(all, {}, [&](SwitchId sw) { return merit[sw.index()]; });
  const auto equal =
      all.empty() ? 0 : static_cast<std::size_t>(std::ranges::count(merit, merit[all.front().index()]));
  count = std::min(count, all.size());
  std::vector<SwitchId> taken;
  for (std::size_t i = 0; i < count; ++i) taken.push_back(all[equal > count ? i * equal / count : i]);
  return taken;
}

}  // namespace rch::engines::multicast
