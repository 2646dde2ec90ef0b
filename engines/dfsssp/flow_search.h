#pragma once

#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

/// Local search for evenly loaded channels when all hosts send to all LIDs, on fabrics too large for
/// local_search.h: a switch sends to a LID by another minimal channel wherever that lowers the sum of the
/// fourth powers of the loads. Ends at a local optimum, after the last round, or where loads are even.
void balance_flows(const HopMatrix& hops, Routes& routes);

bool can_balance_flows(const Routes& routes);

}  // namespace rch::engines::dfsssp
