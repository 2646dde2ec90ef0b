#pragma once

#include "fabric/sl2vl.h"
#include "policy/bind/bind.h"

namespace rch::chains {

/// The SL2VL maps that the `qos_*` options give the ports (opensm(8), QOS CONFIGURATION), for a routing that
/// has none of its own. Empty without `qos`. As OpenSM writes them, VLs are masked by the data VLs of the
/// link. CA ports, router ports, enhanced ports 0 and ports of switches get those of their class.
///
/// Such a routing has no dependency on VLs: what is proven for the paths at one SL holds for the others too,
/// because each SL has one VL on a link.
fabric::Sl2VlTables option_maps(const policy::BoundPolicy& bound);

}  // namespace rch::chains
