#pragma once

#include <string>
#include <vector>

#include "fabric/fabric.h"

namespace rch::fabric {

/// What changed from one generation of a fabric to another, one line each, at most `limit` lines and then a
/// count of the rest: nodes and cables that came and went, nodes that changed. LIDs, states and descriptions
/// are not compared (they are not part of the fingerprint either).
std::vector<std::string> differences(const Fabric& before, const Fabric& after, std::size_t limit);

}  // namespace rch::fabric
