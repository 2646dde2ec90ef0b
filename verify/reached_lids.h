#pragma once

#include "base/bitset.h"
#include "fabric/fabric.h"
#include "fabric/routing_tables.h"

namespace rch::verify {

/// LIDs of ports which packets from every switch reach by the table entries, whatever their service levels
/// are. Of a fabric in several parts there is none.
IdSet<Lid> reached_lids(const fabric::Fabric& fabric, const fabric::RoutingTables& tables);

}  // namespace rch::verify
