#pragma once

#include "engines/engine.h"
#include "fabric/routing_tables.h"
#include "fabric/sub_fabric.h"

namespace rch::chains {

/// The rule of a view in the fabric's switch ids; switches outside the view get kNoCoordinate.
fabric::SlRule to_fabric(const fabric::SubFabric& view, fabric::SlRule rule);

/// The tree of a view, likewise.
engines::SpanningTree to_fabric(const fabric::SubFabric& view, engines::SpanningTree tree);

/// Lays the SL2VL maps of a step over those of earlier steps (docs/chains.md, "SL2VL maps of a chain"): the
/// switches of the view get the step's maps, and the first step that brings any gives all others its end-port
/// map.
void lay_sl2vl(const fabric::SubFabric& view, fabric::Sl2VlTables&& step, fabric::Sl2VlTables& tables);

}  // namespace rch::chains
