#pragma once

#include <optional>

#include "engines/common/port_selection/port_options.h"
#include "engines/engine.h"

namespace rch::engines::minhop {

struct Options {
  common::PortOptions ports = {};
};

/// Shortest paths, ports chosen by OpenSM's balancing rule: equal to OpenSM's tables entry for entry
/// (osm_ucast_mgr.c of OpenSM), but for drawn ports and entries that only aggregation nodes could use
/// (remove_unneeded_entries) unless `compat`. Never fails: a switch that cannot be reached leaves holes. Not
/// free of credit loops on fabrics with cycles.
EngineResult route(const fabric::SubFabric& view, const Options& options);

/// Tables of a view in which no cable joins two switches: every switch delivers to what hangs on it, and
/// engines with rules for the shape of a fabric have nothing to choose. Nothing if there is such a cable.
std::optional<StepTables> route_unlinked(const fabric::SubFabric& view);

}  // namespace rch::engines::minhop
