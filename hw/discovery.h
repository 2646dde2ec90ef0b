#pragma once

#include "base/result.h"
#include "hw/live_fabric.h"
#include "hw/smp_client.h"

namespace rch::hw {

/// Walks the fabric breadth first from our own port by directed routes (sm-sa 2.1) and asks the subnet
/// managers it finds who they are.
///
/// Whole or not at all: a port that is up while nothing answers behind it, a node that answers nonsense, or a
/// cable seen at two places fails (fabric) and names the ports with their routes, because nothing may be
/// computed on a partial view. Two end ports that hold the same LID are no failure: the one that may not keep
/// it (sm-sa 3.1) is without a LID in `fabric` and keeps it in `port_info`.
Result<LiveFabric> discover(SmpClient& client);

/// Takes state, priority and key from the answer to Get(SMInfo).
void read_sm_info(const SmpAnswer& answer, OtherSm& sm);

}  // namespace rch::hw
