#pragma once

#include "base/result.h"
#include "fabric/sl2vl.h"
#include "policy/bind/bind.h"

namespace rch::chains {

/// The SL2VL maps that the `qos_*` options give the ports (config-files 8), for a routing that has none of
/// its own. Empty without `qos`. As OpenSM writes them, VLs are masked by the data VLs of the link. All CA
/// and router ports get one map, masked by the fewest data VLs that one of them has.
///
/// Such a routing has no dependency on VLs: what is proven for the paths at one SL holds for the others too,
/// because each SL has one VL on a link.
///
/// Fails (invalid) when CA and router ports are to get different maps.
Result<fabric::Sl2VlTables> option_maps(const policy::BoundPolicy& bound);

}  // namespace rch::chains
