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

namespace {

constexpr double kWorth = 0.95;

bool has_less_full_links(const Balance& fresh, const Balance& kept) {
  return static_cast<double>(fresh.most) <= kWorth * static_cast<double>(kept.most);
}

}  // namespace

bool is_clearly_better(const Balance& fresh, const Balance& kept) {
  if (fresh.most > kept.most || fresh.deviation > kept.deviation) return false;
  return has_less_full_links(fresh, kept) || fresh.deviation < kWorth * kept.deviation;
}

bool is_much_fuller(const Balance& kept, const Balance& before) { return kept.most > 2 * before.most; }

bool is_worth_telling(const Balance& fresh, const Balance& kept, const Balance& before) {
  return is_clearly_better(fresh, kept) || (is_much_fuller(kept, before) && has_less_full_links(fresh, kept));
}

}  // namespace rch::chains
