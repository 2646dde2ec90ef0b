#pragma once

#include <vector>

#include "engines/torus_2qos/vl_counts.h"

namespace rch::engines::torus_2qos {

/// One SL bit for each dimension that wraps, set when the shorter path crosses its dateline (torus-2QoS(8)).
/// Bit 3, the QoS level, is the border bit: it keeps foreign traffic on VLs of its own.
fabric::SlRule sl_rule(const Torus& torus);

/// Maps by class of the in and the out port (torus-2QoS(8)).
fabric::Sl2VlTables sl2vl_tables(const fabric::SubFabric& view, const Torus& torus, const VlCounts& vls,
                                 const Options& options);

/// Switch ports that face hosts (docs/torus.md, VL arbitration).
std::vector<PortId> two_level_ports(const fabric::SubFabric& view);

}  // namespace rch::engines::torus_2qos
