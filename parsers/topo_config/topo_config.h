#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "fabric/cable_policy.h"

namespace rch::parsers::topo_config {

/// One line: `GUID,PORT,GUID,PORT,TYPE,STATE`.
struct Cable {
  fabric::CableEntry entry;
  Span end;   ///< GUID and port
  Span peer;  ///< those of the peer
};

/// The list of cables that NVIDIA SM reads (`topo_config_file`). A bad line costs itself only. Cables are in
/// file order.
std::vector<Cable> parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::parsers::topo_config
