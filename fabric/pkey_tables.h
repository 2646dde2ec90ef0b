#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"

namespace rch::fabric {

/// Which packets a switch port checks against the P_Keys of the host behind it (`part_enforce`).
enum class PartitionEnforcement : std::uint8_t { off, in, out, both };

/// The P_Key tables that end ports are to hold: CA and router ports with a link, and ports 0 of switches.
/// Empty: ports keep what they hold.
struct PKeyTables {
  std::vector<PortId> ports;         ///< ascending
  std::vector<std::uint32_t> begin;  ///< by index of `ports`, and one past the last
  std::vector<std::uint16_t> keys;   ///< in the order of a fresh table; 0 is a free slot
  PartitionEnforcement enforcement = PartitionEnforcement::both;
  bool keep_indexes = true;  ///< a P_Key that a port holds stays where it is

  bool empty() const { return ports.empty(); }
  std::span<const std::uint16_t> of(std::size_t port) const {
    return {keys.data() + begin[port], begin[port + 1] - begin[port]};
  }
};

}  // namespace rch::fabric
