#pragma once

// Tables written by hand, entry by entry, for small fabrics.

#include <cstdint>
#include <span>

#include "fabric/fabric.h"
#include "fabric/routing_tables.h"
#include "support/small_fabrics.h"

namespace rch::test {

/// No entries at all; one step, id 1, that covers everything with SL 0; no SL2VL maps.
fabric::RoutingTables empty_tables(const fabric::Fabric& fabric);

/// A step that covers the given LIDs on all switches, laid over what is there.
void add_step(fabric::RoutingTables& tables, const fabric::Fabric& fabric, std::uint32_t id,
              std::span<const Lid> lids);

/// LID of the only host of a switch.
Lid host_lid(const fabric::Fabric& fabric, std::uint32_t sw);

void set_entry(fabric::RoutingTables& tables, std::uint32_t sw, Lid lid, std::uint8_t port);

/// Every LID of every host by some shortest way: breadth-first over ports, the lowest port first.
void route_shortest(fabric::RoutingTables& tables, const fabric::Fabric& fabric);

/// A ring: switch i leads to switch i+1 by port 3 and to i-1 by port 2 (switch 0: forward by 2, back by 3);
/// one host each on port 1. Switch LIDs are 1..n, host LIDs n+1..2n.
fabric::Fabric ring(std::uint32_t switches);
std::uint8_t forward(std::uint32_t sw);
std::uint8_t backward(std::uint32_t sw);

/// Entries of all switches of ring(n) for the host of `to`: at most `forward_hops` switches away go forward.
void route_ring(fabric::RoutingTables& tables, const fabric::Fabric& fabric, std::uint32_t to,
                std::uint32_t forward_hops);

}  // namespace rch::test
