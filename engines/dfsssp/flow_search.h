#pragma once

#include <cstdint>

#include "engines/dfsssp/layer_cdgs.h"
#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

/// The paths before some were selected again.
struct Before {
  const Routes* routes = nullptr;  ///< trees that differ from these are improved first
  std::uint64_t enough = 0;        ///< what channels with no higher load carry stays there
};

/// Local search for evenly loaded channels when all hosts send to all LIDs, on fabrics too large for
/// local_search.h: a switch sends to a LID by another channel, over a path of the same length, wherever that
/// lowers the sum of the fourth powers of the loads. Ends at a local optimum, after the last round, or where
/// loads are even. Null `layers`: credit loops do not matter.
void balance_flows(const LayersInUse* layers, Routes& routes, const Before& before = {});

/// The same without layers, for better shifts: these send from the hosts of one switch to those of another at
/// the same time. So of channels that lower the loads, a switch takes one that it uses for few other hosts of
/// the same switch. On other fabrics than trees such paths close more cycles.
void balance_flows_and_shifts(Routes& routes);

bool can_balance_flows(const Routes& routes);

}  // namespace rch::engines::dfsssp
