#pragma once

#include <vector>

#include "engines/torus_2qos/installed_torus.h"
#include "engines/torus_2qos/ring_tables.h"
#include "engines/torus_2qos/torus_2qos.h"

namespace rch::engines::torus_2qos {

/// Forwarding tables of every switch of the view by the hop rule of torus-2qos 2.3; parallel links by the
/// stateless choice of torus-2qos 7.2. All switches of the view must be placed.
///
/// With `installed`, rows whose rings and ports have not changed are shared with the installed tables
/// (torus-2qos 8, "Incremental"). The result is the same.
fabric::ForwardingTables make_lfts(const fabric::SubFabric& view, const Torus& torus, const RingTables& rings,
                                   const Options& options, const InstalledTorus* installed = nullptr);

}  // namespace rch::engines::torus_2qos
