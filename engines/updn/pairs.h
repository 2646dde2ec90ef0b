#pragma once

#include <string>
#include <vector>

#include "engines/engine.h"

namespace rch::engines::updn {

/// The number of pairs of end ports whose switches `hops` does not join, although cables do, with examples;
/// no line if there are none. `joined`: they are routed anyway.
std::vector<std::string> remarks_on_pairs(const fabric::SubFabric& view, const HopMatrix& hops, bool joined);

}  // namespace rch::engines::updn
