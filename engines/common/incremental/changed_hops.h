#pragma once

#include <vector>

#include "engines/common/incremental/rerouting.h"
#include "engines/engine.h"

namespace rch::engines::common {

/// An entry of a hop matrix that differs from the one of the installed tables, by joint ids.
struct ChangedHop {
  SwitchId from;
  SwitchId to;

  friend auto operator<=>(const ChangedHop&, const ChangedHop&) = default;
};

/// A hop matrix, and where it differs from the one of the installed tables.
struct UpdatedHops {
  HopMatrix now;                    ///< by switch of now
  std::vector<ChangedHop> changed;  ///< all that differ, and perhaps some that do not
};

/// Distances by the links of now. One search serves both matrices: over the common links, then link by link.
UpdatedHops update_distances(const Rerouting& rerouting);

/// Without the switches that are gone, which are the last ones.
HopMatrix first_switches(HopMatrix matrix, std::size_t count);

}  // namespace rch::engines::common
