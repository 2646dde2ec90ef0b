#pragma once

#include <vector>

#include "engines/torus_2qos/earlier.h"
#include "engines/torus_2qos/ring_tables.h"
#include "engines/torus_2qos/torus_2qos.h"

namespace rch::engines::torus_2qos {

/// Forwarding tables of every switch of the view by the hop rule of torus-2qos 2.3, parallel cables shared
/// out by the stateless choice of torus-2qos 7.2. All switches of the view must be placed.
///
/// Where `earlier` is set and tells of the same switches and destinations, only rows are made whose ways or
/// ports have changed: those of one ring after a link has failed (torus-2qos 8, "Incremental").
fabric::ForwardingTables fill_lfts(const fabric::SubFabric& view, const Torus& torus, const RingTables& rings,
                                   const Options& options, const Earlier* earlier = nullptr);

}  // namespace rch::engines::torus_2qos
