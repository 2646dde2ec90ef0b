#pragma once

#include "base/result.h"
#include "fabric/routing_tables.h"
#include "hw/exchange.h"
#include "hw/installed_tables.h"
#include "isolation/installed_pkeys.h"

namespace rch::hw {

/// The tables that a live fabric runs on, as one unnamed step of SL 0: what a packet meets now, whoever wrote
/// it. SL2VL maps that traffic cannot meet show as kIdentitySl2Vl. Fails (fabric) when they hold more
/// distinct SL2VL maps than Sl2VlTables can (255).
Result<fabric::RoutingTables> live_tables(const LiveFabric& live, const InstalledTables& installed);
/// Reads them first, and the multicast groups. Sets `pkeys`, if it is not null, to the P_Keys that ports
/// hold. Fails (fabric) when a table cannot be read, too.
Task<Result<fabric::RoutingTables>> read_live_tables(
    Exchange& exchange, const LiveFabric& live, std::optional<isolation::InstalledPKeys>* pkeys = nullptr);

/// The SL2VL maps among the installed tables: see live_tables.
Result<fabric::Sl2VlTables> sl2vl_of(const LiveFabric& live, const InstalledTables& installed);
/// The forwarding tables among the installed tables, up to `max_lid`; no path where nothing is known.
fabric::ForwardingTables lfts_of(const LiveFabric& live, const InstalledTables& installed, Lid max_lid);

}  // namespace rch::hw
