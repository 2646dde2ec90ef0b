#pragma once

#include <string>
#include <vector>

#include "engines/tree/ways.h"
#include "fabric/forwarding_tables.h"

namespace rch::engines::tree {

/// What to tell about pairs of end ports that the tables do not join: how many, and an example; no line if
/// there are none. Only switches that `ways` does not join are looked at.
std::vector<std::string> remarks_on_gaps(const Tree& tree, const Ways& ways,
                                         const fabric::ForwardingTables& lfts);

}  // namespace rch::engines::tree
