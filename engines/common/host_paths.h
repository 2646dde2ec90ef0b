#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/common/channels.h"
#include "fabric/forwarding_tables.h"
#include "fabric/sub_fabric.h"

namespace rch::engines::common {

/// The links from every switch that has hosts to every host, by its first LID, as tables lead.
class HostPaths {
 public:
  /// `longest`: links that a path may have. Takes room for as many on each.
  HostPaths(const fabric::SubFabric& view, const fabric::ForwardingTables& lfts, std::size_t longest);

  std::size_t link_count() const { return channels_.size(); }
  /// End ports of the view, in its order.
  std::size_t host_count() const { return hosts_.size(); }
  std::size_t source_count() const { return sources_.size(); }
  std::size_t source_of(std::size_t host) const { return hosts_[host].source; }
  /// Calls on_link(link) for every link from a source to a host.
  template <class OnLink>
  void for_links(std::size_t source, std::size_t host, OnLink&& on_link) const {
    const ChannelId* const path = hops_.data() + begin(source, host);
    for (std::size_t i = 0; i < longest_ && !path[i].is_none(); ++i) on_link(path[i]);
  }

 private:
  struct Host {
    SwitchId sw;
    Lid lid;
    std::size_t source;
  };

  std::size_t begin(std::size_t source, std::size_t host) const {
    return (source * hosts_.size() + host) * longest_;
  }

  Channels channels_;
  std::size_t longest_;
  std::vector<SwitchId> sources_;
  std::vector<Host> hosts_;      ///< by switch and port
  std::vector<ChannelId> hops_;  ///< links by source, host and hop
};

// Figures of docs/metrics.md.

/// Hosts that the link with most of them leads to.
std::uint32_t most_destinations(const HostPaths& paths);
/// Flows on the fullest link of the worst shift of hosts in that order, each by its number.
std::uint32_t worst_shift(const HostPaths& paths, std::span<const std::uint32_t> order);
/// Those that have a LID, by switch and port.
std::vector<std::uint32_t> hosts_with_lids(const fabric::SubFabric& view);

}  // namespace rch::engines::common
