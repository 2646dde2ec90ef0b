#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

/// How evenly paths between the first LIDs of hosts lie on channels, by the figures of docs/metrics.md: hosts
/// that are sent to over a channel, flows on it when all send to all, and in each shift (host i sends to host
/// i + k). Each figure is a sum over channels that grows so steeply that the fullest ones decide.
class Spread {
 public:
  /// No path lies on a channel yet.
  explicit Spread(const Routes& routes);

  std::size_t host_count() const { return hosts_.size(); }
  SwitchId switch_of(std::size_t host) const { return hosts_[host].sw; }
  /// Leading to the first LID of a host.
  std::size_t tree(std::size_t host) const { return hosts_[host].tree; }

  /// Paths from some hosts to one.
  struct Flow {
    std::size_t to;
    std::span<const std::uint32_t> from;
  };
  /// A channel of the paths; `fresh`: no others to that host are on it.
  struct Step {
    common::ChannelId channel;
    bool fresh;
  };
  void add(const Flow& flow, std::span<const Step> steps) { change(flow, steps, 1); }
  void take_away(const Flow& flow, std::span<const Step> steps) { change(flow, steps, -1); }
  /// What the fullest channels carry.
  struct Peaks {
    std::size_t destinations = 0;
    std::size_t shift = 0;  ///< flows, in the worst one
  };
  Peaks peaks() const;

  /// Weighs the figures as they are: a part of one is worth what the same part of another is.
  void weigh();
  /// True if all figures together would be lower with paths along `to` than they are along `from`, which have
  /// no channel in common.
  bool is_better(const Flow& flow, std::span<const Step> from, std::span<const Step> to) const;

 private:
  struct Host {
    SwitchId sw;
    std::uint32_t tree;
  };
  void change(const Flow& flow, std::span<const Step> steps, int sign);
  double difference(const Flow& flow, std::span<const Step> steps, int sign) const;
  std::size_t shift(std::size_t from, std::size_t to) const {
    return (to + hosts_.size() - from) % hosts_.size();
  }

  std::size_t channels_;
  std::vector<Host> hosts_;                                    ///< by switch in the order of GUIDs, then port
  std::vector<std::uint16_t> destinations_;                    ///< by channel
  std::vector<std::uint32_t> flows_;                           ///< by channel
  std::vector<std::uint16_t> shifted_;                         ///< by shift and channel
  double of_destinations_ = 0, of_flows_ = 0, of_shifts_ = 0;  ///< weights
};

}  // namespace rch::engines::dfsssp
