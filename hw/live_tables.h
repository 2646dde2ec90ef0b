#pragma once

#include "base/result.h"
#include "fabric/routing_tables.h"
#include "hw/held_tables.h"
#include "hw/live_fabric.h"
#include "hw/smp_client.h"

namespace rch::hw {

/// The tables that a live fabric runs on, as one unnamed step of SL 0: what a packet meets now, whoever wrote
/// it. SL2VL maps that traffic cannot meet show as kIdentitySl2Vl; end ports have the map that most of them
/// hold. Fails (fabric) when a table cannot be read, or holds more distinct SL2VL maps than Sl2VlTables can
/// (255).
Result<fabric::RoutingTables> read_live_tables(SmpClient& client, const LiveFabric& live);

/// The SL2VL maps among what is held: see read_live_tables.
Result<fabric::Sl2VlTables> sl2vl_of(const LiveFabric& live, const HeldTables& held);
/// The forwarding tables among what is held, up to `max_lid`; no path where nothing is known.
fabric::ForwardingTables lfts_of(const LiveFabric& live, const HeldTables& held, Lid max_lid);

}  // namespace rch::hw
