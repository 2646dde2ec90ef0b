#pragma once

#include <cstdint>
#include <vector>

#include "engines/common/channels.h"

namespace rch::engines::common {

/// The channel that leaves a switch by a port.
class Exits {
 public:
  explicit Exits(const Channels& channels) : at_(channels.switch_count() * kPorts, ChannelId::none()) {
    for (std::uint32_t s = 0; s < channels.switch_count(); ++s)
      channels.for_each_leaving(SwitchId(s),
                                [&](ChannelId c) { at_[s * kPorts + channels.port(c).index()] = c; });
  }

  /// none() by a port to a host, port 0, and kNoPath.
  ChannelId at(SwitchId sw, std::uint8_t port) const { return at_[sw.index() * kPorts + port]; }

 private:
  static constexpr std::size_t kPorts = 256;

  std::vector<ChannelId> at_;  ///< by switch and port
};

}  // namespace rch::engines::common
