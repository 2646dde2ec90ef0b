#include "engines/common/host_paths.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "engines/common/exits.h"

namespace rch::engines::common {

HostPaths::HostPaths(const fabric::SubFabric& view, const fabric::ForwardingTables& lfts, std::size_t longest)
    : channels_(view.graph()), longest_(longest) {
  for (const fabric::EndPort& end : view.end_ports()) {
    if (sources_.empty() || hosts_.back().sw != end.sw) sources_.push_back(end.sw);
    hosts_.push_back({end.sw, end.lid, sources_.size() - 1});
  }
  hops_.assign(sources_.size() * hosts_.size() * longest_, ChannelId::none());
  const Exits exits(channels_);
  const auto lay = [&](SwitchId at, const Host& to, ChannelId* path) {
    for (std::size_t i = 0; at != to.sw && i < longest_; ++i) {
      path[i] = exits.at(at, lfts.at(at, to.lid));
      if (path[i].is_none()) return;
      at = channels_.to(path[i]);
    }
  };
  for (std::size_t s = 0; s < sources_.size(); ++s)
    for (std::size_t h = 0; h < hosts_.size(); ++h)
      if (hosts_[h].lid != kUnassignedLid) lay(sources_[s], hosts_[h], hops_.data() + begin(s, h));
}

std::uint32_t most_destinations(const HostPaths& paths) {
  constexpr std::uint32_t kNone = ~0U;
  std::uint32_t most = 0;
  std::vector<std::uint32_t> last(paths.link_count(), kNone), count(paths.link_count());
  for (std::uint32_t host = 0; host < paths.host_count(); ++host)
    for (std::size_t source = 0; source < paths.source_count(); ++source)
      paths.for_links(source, host, [&](ChannelId link) {
        if (std::exchange(last[link.index()], host) != host) most = std::max(most, ++count[link.index()]);
      });
  return most;
}

std::uint32_t worst_shift(const HostPaths& paths, std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> fullest(order.size());
  parallel_ranges(order.size(), 16, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> load(paths.link_count());
    for (std::size_t shift = begin; shift < end; ++shift) {
      std::ranges::fill(load, 0U);
      for (std::size_t i = 0; i < order.size(); ++i)
        paths.for_links(paths.source_of(order[i]), order[(i + shift) % order.size()],
                        [&](ChannelId link) { ++load[link.index()]; });
      if (!load.empty()) fullest[shift] = *std::ranges::max_element(load);
    }
  });
  return fullest.empty() ? 0 : *std::ranges::max_element(fullest);
}

std::vector<std::uint32_t> hosts_with_lids(const fabric::SubFabric& view) {
  std::vector<std::uint32_t> hosts;
  for (std::uint32_t h = 0; h < view.end_ports().size(); ++h)
    if (view.end_ports()[h].lid != kUnassignedLid) hosts.push_back(h);
  return hosts;
}

}  // namespace rch::engines::common
