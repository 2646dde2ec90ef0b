#include "engines/common/path_distribution.h"

#include <algorithm>
#include <utility>

#include "engines/common/path_loads.h"

namespace rch::engines::common {
namespace {

/// Adds the paths of all hosts on one switch at a time.
class Walk {
 public:
  Walk(const Channels& channels, const fabric::ForwardingTables& lfts, std::span<const fabric::EndPort> hosts)
      : channels_(channels),
        lfts_(lfts),
        loads_(channels.size(), hosts.size()),
        hosts_on_(channels.switch_count()),
        last_to_(channels.size(), HostId::none()) {
    for (std::uint32_t h = 0; h < hosts.size(); ++h) hosts_on_[hosts[h].sw.index()].push_back(HostId(h));
  }

  void add_paths_to(HostId host, const fabric::EndPort& to) {
    for (std::uint32_t s = 0; s < hosts_on_.size(); ++s) {
      if (hosts_on_[s].empty()) continue;
      hops_.clear();
      for (SwitchId at(s); at != to.sw && hops_.size() < hosts_on_.size();) {
        const ChannelId c = channels_.at(at, lfts_.at(at, to.lid));
        if (c.is_none()) break;
        hops_.push_back({c, std::exchange(last_to_[c.index()], host) != host});
        at = channels_.to(c);
      }
      loads_.add({host, hosts_on_[s]}, hops_);
    }
  }
  PathDistribution distribution() const { return loads_.distribution(); }

 private:
  const Channels& channels_;
  const fabric::ForwardingTables& lfts_;
  PathLoads loads_;
  std::vector<std::vector<HostId>> hosts_on_;  ///< by switch
  std::vector<HostId> last_to_;                ///< by channel: host of the last path that used it
  std::vector<PathLoads::Hop> hops_;
};

}  // namespace

std::vector<fabric::EndPort> hosts_by_guid(const fabric::SubFabric& view) {
  std::vector<fabric::EndPort> hosts(view.end_ports().begin(), view.end_ports().end());
  std::erase_if(hosts, [](const fabric::EndPort& host) { return host.lid == kUnassignedLid; });
  std::ranges::stable_sort(hosts, {}, [&](const fabric::EndPort& host) { return view.node(host.sw).guid; });
  return hosts;
}

PathDistribution path_distribution(const Channels& channels, const fabric::ForwardingTables& lfts,
                                   std::span<const fabric::EndPort> hosts) {
  Walk walk(channels, lfts, hosts);
  for (std::uint32_t h = 0; h < hosts.size(); ++h) walk.add_paths_to(HostId(h), hosts[h]);
  return walk.distribution();
}

}  // namespace rch::engines::common
