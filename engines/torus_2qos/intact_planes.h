#pragma once

#include "engines/torus_2qos/channel_dependencies.h"
#include "engines/torus_2qos/ring_tables.h"

namespace rch::engines::torus_2qos {

/// Adds the channel dependencies of all routes to planes that lack no switch (docs/torus.md). Such routes go
/// straight in each dimension, one dimension after the other. So their dependencies on a ring depend on that
/// ring alone, and where two rings meet, every arrival meets every departure. No pair of switches is visited.
void add_routes_to_intact_planes(const Torus& torus, const RingTables& rings,
                                 ChannelDependencies& dependencies);

}  // namespace rch::engines::torus_2qos
