#pragma once

#include <optional>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/forwarding_tables.h"

namespace rch::isolation {

/// A switch of a path and the port by which the packet leaves it; 0 where it is for the switch itself.
struct PathHop {
  SwitchId sw;
  PortNum out;
};

/// The way of a packet from one end port to a LID of another: that which is `offset` (below 2^lmc) above its
/// first one. Empty where they are cabled back to back. Nothing if the packet does not arrive.
std::optional<std::vector<PathHop>> path_between(const fabric::Fabric& fabric,
                                                 const fabric::ForwardingTables& lfts, PortId from, PortId to,
                                                 unsigned offset = 0);

}  // namespace rch::isolation
