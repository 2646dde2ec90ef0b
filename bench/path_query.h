#pragma once

#include "fabric/fabric.h"
#include "hw/transport.h"
#include "sa/mad.h"

namespace rch::bench {

/// A query as the kernel sends it for a connection: SGID, DGID, P_Key, reversible, one path. `number` draws
/// source and destination; the transaction is `number` + 1.
hw::Datagram path_query(const fabric::Fabric& fabric, std::uint64_t number, sa::Method method);

}  // namespace rch::bench
