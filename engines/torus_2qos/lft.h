#pragma once

#include <vector>

#include "engines/torus_2qos/installed_torus.h"
#include "engines/torus_2qos/ring_tables.h"
#include "engines/torus_2qos/torus_2qos.h"

namespace rch::engines::torus_2qos {

/// Forwarding tables of every switch of the view by the hop rule of torus-2QoS(8); parallel links by the
/// stateless choice of docs/torus.md. All switches of the view must be placed.
///
/// With `installed`, rows whose rings and ports have not changed are shared with the installed tables
/// (docs/torus.md, Incremental rerouting). The result is the same.
fabric::ForwardingTables make_lfts(const fabric::SubFabric& view, const Torus& torus, const RingTables& rings,
                                   const Options& options, const InstalledTorus* installed = nullptr);

}  // namespace rch::engines::torus_2qos
