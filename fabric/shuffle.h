#pragma once

#include <cstdint>

#include "base/result.h"
#include "fabric/fabric.h"

namespace rch::fabric {

/// The same topology in the order of a real fabric: GUIDs say nothing about places, links use any port of a
/// switch, the origin is any host. Descriptions and CA port numbers stay. Nodes of one type exchange GUIDs;
/// port and system GUIDs keep their distance to the node GUID. Deterministic for a seed. Fails (invalid) when
/// GUIDs clash at these distances.
Result<Fabric> shuffled(const Fabric& fabric, std::uint64_t seed);

}  // namespace rch::fabric
