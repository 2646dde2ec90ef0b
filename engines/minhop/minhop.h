#pragma once

#include "engines/engine.h"

namespace rch::engines::minhop {

struct Options {
  /// `port_profile_switch_nodes`: switch LIDs raise the load counters too (routing-engines 1.6).
  bool count_switch_lids = false;
};

/// Shortest paths, ports chosen by OpenSM's balancing rule: equal to OpenSM's tables entry for entry
/// (routing-engines 1.5, 1.6, 2). Never fails: a switch that cannot be reached leaves holes.
/// Not free of credit loops on fabrics with cycles.
EngineResult route(const fabric::SubFabric& view, const Options& options);

}  // namespace rch::engines::minhop
