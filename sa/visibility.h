#pragma once

#include "sa/query.h"
#include "sa/snapshot.h"

namespace rch::sa {

/// True if records of `port` are for the requester: it shares a partition with partition_port() of
/// `port` (IBA 15.4). Trusted requesters, and our own port, see all.
bool may_see(const Snapshot& snapshot, const Requester& requester, PortId port);

}  // namespace rch::sa
