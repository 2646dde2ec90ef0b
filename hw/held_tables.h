#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "fabric/forwarding_tables.h"
#include "fabric/sl2vl.h"
#include "hw/live_fabric.h"
#include "hw/smp_client.h"

namespace rch::hw {

/// One SL2VL map as it is on the wire: SL 0 in the highest nibble.
using WireSl2Vl = std::uint64_t;
WireSl2Vl to_wire(const fabric::Sl2VlMap& map);
fabric::Sl2VlMap from_wire(WireSl2Vl wire);

/// One SL2VL table of a switch.
struct Sl2VlPlace {
  SwitchId sw;
  PortNum in;
  PortNum out;
};

/// Every table of a switch that traffic can meet: `out` is cabled, `in` is cabled or port 0. ibsim answers
/// for others with foreign memory, so nothing else may be asked for (ibsim-lab 6).
std::vector<Sl2VlPlace> sl2vl_places(const fabric::Fabric& fabric);
/// CA and router ports, and switch ports 0, that were seen.
std::vector<PortId> seen_end_ports(const LiveFabric& live);
/// True if the port has SL2VL tables; a switch says so at port 0.
bool maps_sls(const LiveFabric& live, PortId port);

/// What the switches and end ports hold.
struct HeldTables {
  fabric::ForwardingTables lfts;          ///< row by switch
  std::vector<std::size_t> known_blocks;  ///< by switch: blocks below LinearFDBTop, which were read
  std::vector<WireSl2Vl> sl2vl;           ///< parallel to sl2vl_places(); empty if not asked for
  std::vector<WireSl2Vl> end_port_sl2vl;  ///< by PortId; meaningful for CA and router ports that map SLs
};

struct HeldScope {
  Lid top = kMaxUnicastLid;  ///< blocks up to the one of this LID
  bool sl2vl = false;
};

/// Reads the tables back. What lies beyond a switch's LinearFDBTop is not in effect and is not read.
/// Fails (fabric) naming the port and the table that could not be read.
Result<HeldTables> read_held_tables(SmpClient& client, const LiveFabric& live, const HeldScope& scope);

}  // namespace rch::hw
