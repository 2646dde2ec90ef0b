#include "engines/dfsssp/channel_loads.h"

namespace rch::engines::dfsssp {

std::vector<std::uint64_t> host_counts(const fabric::SubFabric& view) {
  std::vector<std::uint64_t> hosts(view.switch_count());
  for (std::uint32_t s = 0; s < hosts.size(); ++s) hosts[s] = view.end_ports_of(SwitchId(s)).size();
  return hosts;
}

/// From the leaves of the tree to its root: a switch is ready when all that send to it have been counted.
void PathCounter::count(std::size_t tree, ChannelLoads& loads, std::uint64_t sign) {
  if (routes_.tree(tree).host.is_none()) return;
  const common::Channels& channels = routes_.channels();
  flow_ = hosts_;
  children_.assign(hosts_.size(), 0);
  for (std::uint32_t s = 0; s < hosts_.size(); ++s)
    if (routes_.sends(tree, SwitchId(s))) ++children_[channels.to(routes_.next(tree, SwitchId(s))).index()];
  ready_.clear();
  for (std::uint32_t s = 0; s < hosts_.size(); ++s)
    if (children_[s] == 0) ready_.push_back(SwitchId(s));
  for (std::size_t i = 0; i < ready_.size(); ++i) {
    const SwitchId sw = ready_[i];
    if (!routes_.sends(tree, sw)) continue;
    const common::ChannelId c = routes_.next(tree, sw);
    const SwitchId to = channels.to(c);
    loads[c.index()] += sign * flow_[sw.index()];
    flow_[to.index()] += flow_[sw.index()];
    if (--children_[to.index()] == 0) ready_.push_back(to);
  }
}

ChannelLoads count_loads(const Routes& routes) {
  ChannelLoads loads(routes.channels().size());
  PathCounter counter(routes);
  for (std::size_t tree = 0; tree < routes.tree_count(); ++tree) counter.add(tree, loads);
  return loads;
}

void LoadRounds::sum(std::size_t count) {
  constexpr std::size_t kGrain = 8192;
  parallel_ranges(loads_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      std::uint64_t added = 0;  // modulo 2^64: a task may remove loads too
      for (std::size_t i = 0; i < count; ++i) added += own_[i][c] - loads_[c];
      loads_[c] += added;
    }
  });
}

}  // namespace rch::engines::dfsssp
