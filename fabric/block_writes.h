#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric/forwarding_tables.h"

namespace rch::fabric {

/// One block of the forwarding table of one switch: the unit in which tables are written.
struct LftBlock {
  SwitchId sw;
  std::uint16_t block = 0;
};

/// A block and what it shall hold.
struct BlockWrite {
  LftBlock at;
  std::array<std::uint8_t, ForwardingTables::kBlock> entries;
};

/// Writes that may reach their switches in any order. The next round waits until all are acknowledged.
struct WriteRound {
  std::vector<BlockWrite> writes;  ///< in the order they are sent
  bool maps_first = false;         ///< the SL2VL maps are written before the blocks
  /// After it, packets get a packet lifetime to leave ways that are no longer in the tables.
  bool waits = false;
  bool drains = false;  ///< it removes entries of which a later round writes others
};

/// These blocks of `tables`, all at once.
WriteRound one_round(std::span<const LftBlock> blocks, const ForwardingTables& tables);

}  // namespace rch::fabric
