#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fabric/routing_tables.h"

namespace rch::chains {

/// A packet inside one switch.
struct TraceHop {
  SwitchId sw;
  PortNum in;                  ///< 0 when the path starts in this switch
  PortNum out;                 ///< 0 when the switch is the destination; 255 when the entry drops
  std::uint8_t vl = 0;         ///< on the channel that leaves by `out`
  std::optional<StepId> step;  ///< step that wrote the entry; nothing for an empty entry
};

/// The path of one packet.
struct Trace {
  PortId source;
  Lid destination;
  std::uint8_t sl = 0;
  std::uint8_t first_vl = 0;  ///< on the link from a CA or router to its switch
  std::vector<TraceHop> hops;
  bool reached = false;
  std::string end;  ///< why it ends before its destination, as a sentence; empty when reached
};

/// Data VLs that a port sends on, 1..15.
using DataVls = std::function<std::uint8_t(PortId)>;

/// Follows the tables from an end port (CA or router port, or port 0 of a switch) to a LID, with the service
/// level that the chain gives to the pair, or with `sl` if that can be had. `source` must be an end port of
/// the fabric. A packet on a VL beyond `data_vls` is dropped; without it, every link has 15.
Trace trace(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, PortId source, Lid destination,
            std::optional<std::uint8_t> sl = {}, const DataVls& data_vls = {});

}  // namespace rch::chains
