#pragma once

#include <vector>

#include "engines/torus_2qos/ring_tables.h"
#include "engines/torus_2qos/torus_2qos.h"

namespace rch::engines::torus_2qos {

/// Forwarding tables of every switch of the view by the hop rule of torus-2qos 2.3, parallel cables shared
/// out by the stateless choice of torus-2qos 7.2. All switches of the view must be placed.
fabric::ForwardingTables fill_lfts(const fabric::SubFabric& view, const Torus& torus, const RingTables& rings,
                                   const Options& options);

}  // namespace rch::engines::torus_2qos
