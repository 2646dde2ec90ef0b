#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/common/channels.h"
#include "engines/common/path_distribution.h"

namespace rch::engines::common {

/// A position in the order of hosts by which shifts are formed: host i sends to host i + k.
using HostId = Id<struct HostTag, std::uint32_t>;

/// Loads of channels by paths between hosts, kept up to date while paths change. Also the objective of local
/// searches: a sum of costs over channels that grows so steeply that the most loaded ones decide.
class PathLoads {
 public:
  /// No path yet. Takes two bytes for each channel and host.
  PathLoads(std::size_t channels, std::size_t hosts);

  /// Paths from some hosts to one.
  struct Flow {
    HostId to;
    std::span<const HostId> from;
  };
  /// A channel of the paths of a flow; `first`: no other flow to that host uses it.
  struct Hop {
    ChannelId channel;
    bool first;
  };
  void add(const Flow& flow, std::span<const Hop> hops) { change(flow, hops, 1); }
  void remove(const Flow& flow, std::span<const Hop> hops) { change(flow, hops, -1); }

  PathDistribution distribution() const;

  /// Weighs destinations, flows and shifts so that each costs the same now.
  void normalise();
  /// True if the total cost falls when a flow moves between routes that share no channel.
  bool improves(const Flow& flow, std::span<const Hop> from, std::span<const Hop> to) const;

 private:
  void change(const Flow& flow, std::span<const Hop> hops, int sign);
  double cost_change(const Flow& flow, std::span<const Hop> hops, int sign) const;
  std::size_t by_shift(HostId from, HostId to, ChannelId c) const {
    return c.index() * hosts_ + to.index() + (to < from ? hosts_ : 0) - from.index();
  }

  std::size_t hosts_;
  std::vector<std::uint16_t> destinations_;  ///< by channel: hosts that it leads to
  std::vector<std::uint32_t> flows_;         ///< by channel: when all hosts send to all
  std::vector<std::uint16_t> shift_flows_;   ///< by channel, then shift
  double destination_weight_ = 0, flow_weight_ = 0, shift_weight_ = 0;
};

}  // namespace rch::engines::common
