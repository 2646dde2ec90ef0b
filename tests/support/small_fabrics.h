#pragma once

// Fabrics put together in memory, for tests that need a particular or a random shape rather than a file.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace rch::test {

/// Cables between switches, by index of the switch; ports are given out in the order of this list.
struct Cable {
  std::uint32_t a;
  std::uint32_t b;
};

struct Shape {
  std::vector<std::uint32_t> hosts;  ///< by switch: one-port CAs on ports 1.., before any cable
  std::vector<Cable> cables;
  std::uint8_t lmc = 0;            ///< of hosts
  std::uint32_t system_size = 1;   ///< that many switches, by index, share a system GUID
  std::uint64_t guid_step = 8;     ///< between the GUIDs of consecutive switches
  std::uint8_t adapter_ports = 1;  ///< so many hosts of a switch in a row are ports of one CA
  std::uint32_t routers = 0;       ///< so many of the last adapters are IB routers
  bool aggregation_nodes = false;  ///< every switch has one, on its last port
};

/// Switch i is named `switch i` and has GUID 0x100000 + guid_step * i; host j of all has node GUID 0x900000 +
/// 4 j. LIDs: switches first, then hosts, ascending.
fabric::Fabric build(const Shape& shape);

/// Two-level folded Clos: leaves come first and have their hosts on the low ports, spines by index behind
/// them, `parallel` cables each.
Shape clos(std::uint32_t leaves, std::uint32_t spines, std::uint32_t hosts, std::uint32_t parallel = 1);

/// Irregular graph of 1..max_switches switches: parallel cables, different numbers of hosts, sometimes in
/// several pieces. Every choice comes from `seed`.
Shape random_shape(std::uint64_t seed, std::uint32_t max_switches);

}  // namespace rch::test
