#pragma once

#include "engines/common/port_selection/port_options.h"
#include "engines/engine.h"

namespace rch::engines::dor {

struct Options {
  common::PortOptions ports = {};
};

/// Dimension order: shortest paths, of which the first in the scan of a switch's ports is taken and no other;
/// where several cables lead to that neighbour they are balanced (opensm(8), DOR). With one dimension on
/// the same place of every scan (the cabling, or `port_search_ordering`) routes correct one dimension after
/// the other: free of credit loops on hypercubes and meshes, not on tori. Equal to OpenSM's tables entry for
/// entry, but for drawn ports unless `compat`. Never fails: a switch that cannot be reached leaves holes.
EngineResult route(const fabric::SubFabric& view, const Options& options);

}  // namespace rch::engines::dor
