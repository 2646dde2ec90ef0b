#pragma once

#include "cli/json.h"
#include "fabric/difference.h"

namespace rch::cli {

/// A node or a cable, as `rch fabric diff` and `rch diff` list it. A cable has both its ends.
Json change_json(const fabric::Change& change);

}  // namespace rch::cli
