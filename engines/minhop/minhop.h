#pragma once

#include "engines/common/port_selection/port_options.h"
#include "engines/engine.h"

namespace rch::engines::minhop {

struct Options {
  common::PortOptions ports = {};
};

/// Shortest paths, ports chosen by OpenSM's balancing rule: equal to OpenSM's tables entry for entry
/// (routing-engines 1.5, 1.6, 2), but for drawn ports unless `compat`. Never fails: a switch that cannot be
/// reached leaves holes. Not free of credit loops on fabrics with cycles.
EngineResult route(const fabric::SubFabric& view, const Options& options);

}  // namespace rch::engines::minhop
