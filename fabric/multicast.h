#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace rch::fabric {

/// Multicast LIDs (InfiniBand Architecture 4.1.1); 0xFFFF is the permissive LID.
inline constexpr Lid kFirstMulticastLid{0xC000};
inline constexpr Lid kLastMulticastLid{0xFFFE};

/// The way of one multicast LID through the fabric. A switch that gets such a packet hands it to all its
/// ports in `ports` but the one it came in by.
struct MulticastGroup {
  Lid mlid;
  std::uint8_t sl = 0;
  std::vector<PortId> members;    ///< CA and router ports, and port 0 of switches, that receive; ascending
  std::vector<PortId> ports;      ///< switch ports with a bit in the forwarding tables; ascending
  std::vector<PortId> senders{};  ///< CA and router ports that send and do not receive; ascending
};

}  // namespace rch::fabric
