#pragma once

// The hop rule of torus-2QoS by coordinates, pair by pair: slow, plain, and independent of the engine.

#include <cstddef>

#include "torus_grid.h"

namespace rch::test {

struct RuleOutcome {
  std::size_t unroutable = 0;  ///< ordered pairs of switches
  bool credit_loop = false;
};

/// Follows the rule between all pairs of switches (torus-2QoS(8)). `turn_vl`: the hop after a turn
/// against the order has VLs of its own.
RuleOutcome follow_rule(const Grid& grid, bool turn_vl = true);

}  // namespace rch::test
