#pragma once

#include "base/result.h"
#include "fabric/routing_tables.h"
#include "hw/live_fabric.h"
#include "hw/smp_client.h"

namespace rch::hw {

/// The tables that a live fabric runs on, as one unnamed step of SL 0: what a packet meets now, whoever wrote
/// it. SL2VL maps that traffic cannot meet show as kIdentitySl2Vl; end ports have the map that most of them
/// hold. Fails (fabric) when a table cannot be read, or holds more distinct SL2VL maps than Sl2VlTables can
/// (255).
Result<fabric::RoutingTables> read_live_tables(SmpClient& client, const LiveFabric& live);

}  // namespace rch::hw
