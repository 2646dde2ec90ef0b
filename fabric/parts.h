#pragma once

#include <cstdint>
#include <vector>

#include "fabric/switch_graph.h"

namespace rch::fabric {

/// Parts of a fabric that no cable joins. A CA with ports in two of them does not join them: it forwards
/// nothing.
struct Parts {
  std::vector<std::uint32_t> of;  ///< by switch: number of its part, in the order of their first switches
  std::uint32_t count = 0;
};
Parts parts(const SwitchGraph& graph);

}  // namespace rch::fabric
