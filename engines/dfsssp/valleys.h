#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engines/dfsssp/hop_bits.h"
#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

/// A quick proof that one virtual lane does. Every cable leads up one way: to the switch farther from all
/// hosts, of equals to the one with the higher number. Packets that go up and then down never wait for each
/// other in a circle, whichever of such paths they take. A circle takes valleys, a channel down followed by
/// one up: on fat trees there are none, on damaged ones few.
class Valleys {
 public:
  /// Keeps references.
  Valleys(const fabric::SwitchGraph& graph, const HopBits& hops, const Routes& routes);

  /// True if paths close no circle on one lane; false says nothing. `tables` hold shortest paths.
  bool rule_out_circles(const fabric::ForwardingTables& tables) const;
  /// Destinations that some shortest path from a host leads to by a valley, ascending. Paths to all others
  /// close no circle.
  std::vector<SwitchId> destinations_behind() const;
  const fabric::SwitchGraph& graph() const { return graph_; }
  /// A channel down followed by one up.
  bool is_valley(common::ChannelId c, common::ChannelId next) const;
  /// All switches, the lowest first.
  const std::vector<SwitchId>& upwards() const { return upwards_; }
  /// All channels, each before those that follow it where there is no valley.
  std::vector<common::ChannelId> up_then_down() const;

 private:
  bool leads_up(SwitchId from, SwitchId to) const { return height_[from.index()] < height_[to.index()]; }
  using Dependencies = std::vector<std::pair<common::ChannelId, common::ChannelId>>;

  Dependencies valleys_in(const fabric::ForwardingTables& tables,
                          std::span<const SwitchId> destinations) const;

  const fabric::SwitchGraph& graph_;
  const HopBits& hops_;
  const Routes& routes_;
  std::vector<SwitchId> upwards_;      ///< all switches
  std::vector<std::uint32_t> height_;  ///< by switch, its place there
};

}  // namespace rch::engines::dfsssp
