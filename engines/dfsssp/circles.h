#pragma once

#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

/// True if the channels of all trees together wait for each other in a circle: one virtual lane would not do.
bool has_circle(const Routes& routes);

}  // namespace rch::engines::dfsssp
