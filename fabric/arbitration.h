#pragma once

#include <cstdint>
#include <vector>

#include "fabric/port_tables.h"

namespace rch::fabric {

/// One entry of a VL arbitration table. The weight counts 64 bytes; 0 skips the lane.
struct VlWeight {
  std::uint8_t vl = 0;
  std::uint8_t weight = 0;

  friend bool operator==(const VlWeight&, const VlWeight&) = default;
};
using VlWeights = std::vector<VlWeight>;

/// How a port shares its link among the lanes it sends on. Ports take as much of the lists as they have
/// room for, with VLs masked to those they use.
struct Arbitration {
  std::uint8_t high_limit = 0;  ///< 4 KB each that may pass of `high` before `low` gets a turn
  VlWeights high, low;

  friend bool operator==(const Arbitration&, const Arbitration&) = default;
};

using ArbitrationTables = PortTables<Arbitration, std::uint8_t>;

}  // namespace rch::fabric
