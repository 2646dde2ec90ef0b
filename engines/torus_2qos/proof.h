#pragma once

#include "engines/torus_2qos/qos.h"
#include "engines/torus_2qos/ring_tables.h"
#include "engines/torus_2qos/torus_2qos.h"

namespace rch::engines::torus_2qos {

/// Proves that the hop rule leads from every switch to every other around the missing ones, and that no
/// routes wait for each other in a circle. Needs rings that are in one piece each. Exact for switches joined
/// by single cables; parallel cables are taken together, so a circle that the sharing of routes among them
/// happens to break counts as one. Nothing to prove when no switch is missing.
///
/// Refuses with
///   unroutable     the rule has no way between two switches
///   credit-loop    a circle that no number of VLs avoids
///   too-few-vls    a circle that 4 data VLs between switches would avoid
Attempt<void> prove(const fabric::SubFabric& view, const Torus& torus, const RingTables& rings,
                    const VlCounts& vls, const Options& options);

}  // namespace rch::engines::torus_2qos
