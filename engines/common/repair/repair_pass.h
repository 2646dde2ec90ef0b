#pragma once

#include <optional>
#include <utility>

namespace rch::engines::common {

/// A repair pass over a finished routing: tries candidate routings until the cost is no worse than `target`.
/// Returns the best candidate, or nothing if none improves on `cost`, the cost of the routing as it is.
///
/// `next()` returns the next candidate as an optional, empty after the last. `cost_of(candidate)` returns its
/// cost. Costs are partially ordered by no_worse_than().
template <class Cost, class Next, class CostOf>
auto repair_pass(Cost cost, const Cost& target, Next&& next, CostOf&& cost_of) -> decltype(next()) {
  decltype(next()) best;
  while (!cost.no_worse_than(target)) {
    auto candidate = next();
    if (!candidate) break;
    const Cost other = cost_of(*candidate);
    if (!other.no_worse_than(target) && (!other.no_worse_than(cost) || cost.no_worse_than(other))) continue;
    best = std::move(candidate);
    cost = other;
  }
  return best;
}

}  // namespace rch::engines::common
