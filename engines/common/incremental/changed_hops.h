#pragma once

#include <vector>

#include "engines/common/incremental/earlier_plan.h"
#include "engines/engine.h"

namespace rch::engines::common {

/// An entry of a matrix of hops that is another since the installed tables were made, by the numbers of an
/// EarlierPlan.
struct ChangedHop {
  SwitchId from;
  SwitchId to;

  friend auto operator<=>(const ChangedHop&, const ChangedHop&) = default;
};

struct HopsSince {
  HopMatrix now;                  ///< by switch of now
  std::vector<ChangedHop> moved;  ///< all that have; perhaps some that have not
};

/// Distances now, and which of them are others than by the earlier plan. One search for both: on the cables
/// that they have in common, and from there cable by cable.
HopsSince distances(const EarlierPlan& earlier);

/// Without the switches that are gone, the last ones.
HopMatrix first_switches(HopMatrix matrix, std::size_t count);

}  // namespace rch::engines::common
