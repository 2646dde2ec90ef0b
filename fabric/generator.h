#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "fabric/equipment.h"
#include "fabric/fabric.h"
#include "fabric/topologies.h"

namespace rch::fabric {

/// What to generate. Unless shuffled, switch i gets the GUID switch_guid + 8 i and host i the node
/// GUID host_guid + 4 i (more on rails, for the GUIDs of its ports).
struct GeneratorOptions {
  Topology shape;
  std::uint32_t hosts = 1;     ///< on each (leaf) switch, of a rail tree in each unit
  std::uint32_t parallel = 1;  ///< cables between two neighbouring switches
  LinkWidth width = LinkWidth::x4;
  LinkSpeed speed = LinkSpeed::qdr;
  Guid switch_guid{0x0002c90200400000};
  Guid host_guid{0x0002c90300010000};
  std::string name_prefix = {};               ///< put before every node description
  std::optional<std::uint64_t> shuffle = {};  ///< seed of shuffled(): as real fabrics are, not in order
  std::uint32_t torus_seeds = 1;              ///< seeds of the torus-2QoS.conf; there may be room for fewer
  Equipment equipment = {};
};

struct Generated {
  Fabric fabric;           ///< seen from the first host's port, or the first switch if there are no hosts
  std::string torus_conf;  ///< matching torus-2QoS.conf; empty for shapes that are no grid
};

/// Fails (usage) on sizes that make no fabric: too many ports on a switch, an odd k, an odd sum of degrees,
/// ...
Result<Generated> generate(const GeneratorOptions& options);

/// torus-2QoS.conf for a grid made with these options, from which parts may have been removed since: seeds
/// avoid missing switches and cables, name both directions where a looped radix is 4, touch no switch twice,
/// and have datelines that keep the origin where it is (torus-2QoS.conf(5)). Fails (usage) if no seed is
/// left.
Result<std::string> torus_conf(const GeneratorOptions& options, const Fabric& fabric);

}  // namespace rch::fabric
