#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "fabric/switch_graph.h"

namespace rch::engines::common {

/// A channel: one direction of a link between two switches, on one virtual lane (Dally and Seitz 1987). The
/// lane is implied: a channel dependency graph is about one lane.
using ChannelId = Id<struct ChannelTag, std::uint32_t>;

/// All channels of a fabric, numbered densely; those that leave one switch are consecutive. A dependency is a
/// channel and one that leaves the switch it leads to. Dependencies are numbered densely too.
class Channels {
 public:
  explicit Channels(const fabric::SwitchGraph& graph);

  std::size_t switch_count() const { return first_.size() - 1; }
  std::size_t size() const { return channels_.size(); }
  std::size_t dependency_count() const { return dependency_count_; }

  ChannelId first(SwitchId sw) const { return ChannelId(first_[sw.index()]); }
  /// Channels that leave a switch; fewer than 255.
  std::size_t degree(SwitchId sw) const { return first_[sw.index() + 1] - first_[sw.index()]; }
  /// Calls f(channel) for each channel that leaves the switch.
  template <class F>
  void for_each_leaving(SwitchId sw, F&& f) const {
    for (std::uint32_t c = first_[sw.index()]; c < first_[sw.index() + 1]; ++c) f(ChannelId(c));
  }
  /// The channel that leaves a switch by a port; none() for port 0, a port to a host, and kNoPath.
  ChannelId at(SwitchId sw, std::uint8_t port) const { return at_port_[sw.index() * kPorts + port]; }

  SwitchId from(ChannelId c) const { return channels_[back(c).index()].to; }
  SwitchId to(ChannelId c) const { return channels_[c.index()].to; }
  PortNum port(ChannelId c) const { return channels_[c.index()].port; }
  /// The other direction of the same link.
  ChannelId back(ChannelId c) const { return channels_[c.index()].back; }

  /// Number of the first dependency of packets on `c`; one for each channel that leaves to(c) follows.
  std::size_t first_dependency(ChannelId c) const { return channels_[c.index()].first_dependency; }
  std::size_t dependency(ChannelId c, ChannelId next) const {
    return first_dependency(c) + (next.value - first_[to(c).index()]);
  }

 private:
  static constexpr std::size_t kPorts = 256;

  struct Channel {
    SwitchId to;
    PortNum port;
    ChannelId back;
    std::uint32_t first_dependency;
  };
  std::vector<std::uint32_t> first_;  ///< by switch, and one past the last
  std::vector<Channel> channels_;
  std::vector<ChannelId> at_port_;  ///< by switch and port
  std::size_t dependency_count_ = 0;
};

}  // namespace rch::engines::common
