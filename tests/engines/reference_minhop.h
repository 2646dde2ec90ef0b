#pragma once

// minhop as the rules read, one entry after the other and without any trick: what the fast engine is compared
// with.

#include <span>

#include "engines/engine.h"

namespace rch::test {

/// Breadth-first search from one switch after the other.
engines::HopMatrix reference_distances(const fabric::SwitchGraph& graph);

/// What OpenSM's osm_ucast_mgr.c and osm_switch.c do on the whole fabric; switch LIDs are not counted.
/// Counters start at `loads`, by port of the fabric.
fabric::ForwardingTables reference_minhop(const fabric::Fabric& fabric,
                                          std::span<const std::uint32_t> loads = {});

/// Hops from `sw` to `to` leaving by `port`: 255 if the port leads to no switch or to one that cannot reach
/// `to`.
std::uint8_t hops_by_port(const fabric::Fabric& fabric, const engines::HopMatrix& hops, SwitchId sw,
                          SwitchId to, PortNum port);

}  // namespace rch::test
