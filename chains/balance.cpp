#include "chains/balance.h"

#include <algorithm>
#include <cmath>

#include "verify/metrics/metrics.h"

namespace rch::chains {

Balance balance(const fabric::Fabric& fabric, const fabric::RoutingTables& tables) {
  const std::vector<std::uint64_t> flows = verify::link_flows(fabric, tables);
  if (flows.empty()) return {};
  double sum = 0, squares = 0;
  for (const std::uint64_t load : flows) {
    sum += static_cast<double>(load);
    squares += static_cast<double>(load) * static_cast<double>(load);
  }
  const double links = static_cast<double>(flows.size()), mean = sum / links;
  return {*std::ranges::max_element(flows), std::sqrt(std::max(0.0, squares / links - mean * mean))};
}

bool is_clearly_better(const Balance& fresh, const Balance& kept) {
  constexpr double kWorth = 0.95;
  if (fresh.most > kept.most || fresh.deviation > kept.deviation) return false;
  return static_cast<double>(fresh.most) <= kWorth * static_cast<double>(kept.most) ||
         fresh.deviation < kWorth * kept.deviation;
}

}  // namespace rch::chains
