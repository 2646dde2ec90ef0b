#pragma once

#include "chains/chain.h"

namespace rch::chains {

/// The VL arbitration of every port, as the `qos_*` options have it by class of ports (opensm(8), QOS
/// CONFIGURATION), and as ports with two VLs left need it (engines::StepTables::two_level_ports). Empty
/// without `qos`. Ports without a cable and ports 0 that are not enhanced keep what they have.
fabric::ArbitrationTables arbitration_tables(const policy::BoundPolicy& bound, const ChainRun& run);

}  // namespace rch::chains
