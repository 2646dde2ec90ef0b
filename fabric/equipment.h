#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "fabric/fabric.h"

namespace rch::fabric {

/// Properties that real fabrics have and that no topology asks for.
struct Equipment {
  bool enhanced_port0 = false;     ///< of every switch
  bool missing_hosts = false;      ///< about a quarter of the hosts is missing, never the origin
  bool spine_hosts = false;        ///< a host on a quarter of the switches that have none, on at least one
  bool two_port_hosts = false;     ///< about half of the hosts have a second port, on another leaf
  bool aggregation_nodes = false;  ///< a CA on the last port of every switch, as SHARP has
  bool spare_ports = false;        ///< one to four ports of every switch have no cable
  std::uint64_t seed = 1;          ///< for everything random

  static constexpr Equipment all(std::uint64_t seed = 1) {
    return {true, true, true, true, true, true, seed};
  }
  constexpr bool any() const {
    return enhanced_port0 || missing_hosts || spine_hosts || two_port_hosts || aggregation_nodes ||
           spare_ports;
  }
};

inline constexpr std::uint32_t kHostDevice = 0x1003;  ///< of generated hosts

/// Description and device ID by which an aggregation node is recognised.
inline constexpr std::string_view kAggregationNode = "Mellanox Technologies Aggregation Node";
inline constexpr std::uint32_t kAggregationDevice = 0xcf09;

struct GeneratorOptions;

/// A generated fabric with its Equipment. Added ports of switches come behind those that a switch has. New
/// hosts have GUIDs and numbers behind those of the other hosts; an aggregation node has its switch's GUID
/// + 4. Fails (usage) on a switch that would have too many ports.
Result<Fabric> equipped(const Fabric& fabric, const GeneratorOptions& options);

}  // namespace rch::fabric
