#pragma once

#include <cstdint>

#include "chains/plan.h"

namespace rch::whatif {

/// Whose packets need another service level by the second plan. Hosts keep a level until they ask for a path
/// record again.
struct LevelChange {
  std::uint64_t hosts = 0;  ///< ports that have such a pair
  std::uint64_t pairs = 0;  ///< of a host and a LID of another host
};
LevelChange level_change(const chains::Plan& before, const chains::Plan& after);

}  // namespace rch::whatif
