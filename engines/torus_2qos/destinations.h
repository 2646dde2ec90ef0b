#pragma once

#include <cstdint>
#include <vector>

#include "engines/torus_2qos/torus.h"
#include "engines/torus_2qos/torus_2qos.h"

namespace rch::engines::torus_2qos {

/// What every forwarding table needs to know of each LID, worked out once for all switches.
struct Destinations {
  /// By LID, padded with `nowhere` to whole table blocks: index of the position the LID hangs on.
  std::vector<std::uint16_t> position;
  std::uint16_t nowhere = 0;  ///< the position index of LIDs that this step does not route: one past the last

  // Where cables run in parallel destinations take turns, in the order of their numbers: end ports, then
  // switches. Empty when no two switches have parallel cables.

  std::vector<std::uint16_t> number;       ///< by LID; position_of.size() for what is not routed
  std::vector<std::uint16_t> position_of;  ///< by number
  std::size_t first_switch = 0;            ///< number of the first switch

  friend bool operator==(const Destinations&, const Destinations&) = default;
};

/// Numbers the end ports switch by switch in coordinate order, on each switch in port order, and the switches
/// by position, so that who takes which cable does not depend on the order of discovery (torus-2qos 7.2,
/// recommendation).
Destinations list_destinations(const fabric::SubFabric& view, const Torus& torus, const Options& options);

}  // namespace rch::engines::torus_2qos
