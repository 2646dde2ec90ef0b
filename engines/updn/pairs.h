#pragma once

#include <string>
#include <vector>

#include "engines/engine.h"

namespace rch::engines::updn {

/// What to tell about pairs of end ports whose switches `hops` does not join: how many, and an example; no
/// line if there are none. `joined`: they are routed all the same.
std::vector<std::string> remarks_on_pairs(const fabric::SubFabric& view, const HopMatrix& hops, bool joined);

}  // namespace rch::engines::updn
