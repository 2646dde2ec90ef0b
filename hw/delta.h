#pragma once

#include <cstdint>
#include <vector>

#include "fabric/block_writes.h"
#include "fabric/routing_tables.h"
#include "hw/installed_tables.h"

namespace rch::hw {

/// The writes that lead from the installed tables to the target tables, in the order they are sent.
struct TableDelta {
  std::vector<Sl2VlPlace> sl2vl;       ///< of switches
  std::vector<PortId> end_port_sl2vl;  ///< CA and router ports, enhanced ports 0
  std::vector<fabric::LftBlock>
      lft_blocks;  ///< block k of all switches, then block k + 1 (OpenSM's osm_state_mgr.c)

  bool empty() const { return sl2vl.empty() && end_port_sl2vl.empty() && lft_blocks.empty(); }
};

/// Only what differs or is not known is written. `installed` must have been read from `live` with a top of at
/// least target.lfts.max_lid(), and with SL2VL if `target` has any.
TableDelta diff(const LiveFabric& live, const InstalledTables& installed,
                const fabric::RoutingTables& target);

}  // namespace rch::hw
