#include "engines/multicast/roots.h"

#include <algorithm>

#include "base/parallel.h"

namespace rch::engines::multicast {
namespace {

/// By switch: hops to the farthest switch with hosts; kUnknown if one of them is out of reach.
std::vector<std::uint8_t> farthest(const fabric::Fabric& fabric, const HopMatrix& hops) {
  // Masks over a row: 0 keeps a column out of the maximum.
  std::vector<std::uint8_t> with_hosts(fabric.switch_count(), 0);
  for (const fabric::EndPort& host : fabric.end_ports()) with_hosts[host.sw.index()] = 0xFF;
  std::vector<std::uint8_t> result(fabric.switch_count());
  parallel_ranges(fabric.switch_count(), 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) {
      const auto row = hops.row(SwitchId(static_cast<std::uint32_t>(s)));
      std::uint8_t most = 0;
      for (std::size_t d = 0; d < row.size(); ++d)
        most = std::max(most, static_cast<std::uint8_t>(row[d] & with_hosts[d]));
      result[s] = most;
    }
  });
  return result;
}

}  // namespace

std::vector<SwitchId> roots(const fabric::Fabric& fabric, const HopMatrix& hops, std::size_t count) {
  const std::vector<std::uint8_t> far = farthest(fabric, hops);
  std::vector<SwitchId> all;
  for (std::uint32_t s = 0; s < far.size(); ++s) all.push_back(SwitchId(s));
  std::ranges::stable_sort(all, {}, [&](SwitchId sw) { return far[sw.index()]; });
  const auto equal =
      static_cast<std::size_t>(std::ranges::count(far, all.empty() ? 0 : far[all.front().index()]));
  count = std::min(count, all.size());
  std::vector<SwitchId> taken;
  for (std::size_t i = 0; i < count; ++i) taken.push_back(all[equal > count ? i * equal / count : i]);
  return taken;
}

}  // namespace rch::engines::multicast
