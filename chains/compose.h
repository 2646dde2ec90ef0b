#pragma once

#include "engines/engine.h"
#include "fabric/routing_tables.h"
#include "fabric/sub_fabric.h"

namespace rch::chains {

/// One map on every port of every switch and end port.
fabric::Sl2VlTables uniform(const fabric::Fabric& fabric, const fabric::Sl2VlMap& map);

/// The rule of a view in the fabric's switch ids; switches outside the view get kNoCoordinate.
fabric::SlRule to_fabric(const fabric::SubFabric& view, fabric::SlRule rule);

/// The tree of a view, likewise.
engines::SpanningTree to_fabric(const fabric::SubFabric& view, engines::SpanningTree tree);

/// Overlays the SL2VL maps of earlier steps by those of a step (docs/chains.md, "SL2VL maps of a chain"): the
/// switches of the view get the step's maps, and the end-port map of the first step that has maps
/// is that of all others.
void overlay_sl2vl(const fabric::SubFabric& view, fabric::Sl2VlTables&& step, fabric::Sl2VlTables& tables);

}  // namespace rch::chains
