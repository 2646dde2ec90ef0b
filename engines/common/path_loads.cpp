#include "engines/common/path_loads.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rch::engines::common {
namespace {

/// Costs by load, tabulated.
class Costs {
 public:
  template <class Cost>
  explicit Costs(Cost cost) {
    for (std::size_t load = 0; load < costs_.size(); ++load) costs_[load] = cost(static_cast<double>(load));
  }
  double at(std::size_t load) const { return costs_[std::min(load, costs_.size() - 1)]; }
  double change(std::size_t load, int sign) const { return at(sign > 0 ? load + 1 : load - 1) - at(load); }

 private:
  std::array<double, 256> costs_;
};

const Costs kDestinationCosts([](double load) { return std::exp2(load); });
const Costs kShiftCosts([](double load) { return std::exp2(3 * load); });

/// As steep as the others: with the fourth power, the fewest destinations cost half more flows on some
/// fabrics.
double flow_cost(double load) {
  for (int i = 0; i < 4; ++i) load *= load;
  return load;
}

}  // namespace

PathLoads::PathLoads(std::size_t channels, std::size_t hosts)
    : hosts_(hosts), destinations_(channels), flows_(channels), shift_flows_(hosts * channels) {}

void PathLoads::change(const Flow& flow, std::span<const Hop> hops, int sign) {
  for (const Hop& hop : hops) {
    std::uint16_t& destinations = destinations_[hop.channel.index()];
    destinations = static_cast<std::uint16_t>(destinations + (hop.first ? sign : 0));
    flows_[hop.channel.index()] +=
        static_cast<std::uint32_t>(sign) * static_cast<std::uint32_t>(flow.from.size());
    for (HostId host : flow.from) {
      std::uint16_t& flows = shift_flows_[by_shift(host, flow.to, hop.channel)];
      flows = static_cast<std::uint16_t>(flows + sign);
    }
  }
}

PathDistribution PathLoads::distribution() const {
  const auto most = [](const auto& loads) -> std::uint32_t {
    return loads.empty() ? 0 : *std::ranges::max_element(loads);
  };
  return {.destinations = most(destinations_), .flows = most(flows_), .worst_shift = most(shift_flows_)};
}

void PathLoads::normalise() {
  double destinations = 0, flows = 0, shifts = 0;
  for (std::size_t c = 0; c < destinations_.size(); ++c) {
    destinations += kDestinationCosts.at(destinations_[c]);
    flows += flow_cost(flows_[c]);
  }
  for (std::uint16_t load : shift_flows_) shifts += kShiftCosts.at(load);
  destination_weight_ = 1 / destinations;
  flow_weight_ = 1 / flows;
  shift_weight_ = 1 / shifts;
}

bool PathLoads::improves(const Flow& flow, std::span<const Hop> from, std::span<const Hop> to) const {
  constexpr double kRounding = -1e-9;
  return cost_change(flow, from, -1) + cost_change(flow, to, 1) < kRounding;
}

double PathLoads::cost_change(const Flow& flow, std::span<const Hop> hops, int sign) const {
  double destinations = 0, flows = 0, shifts = 0;
  for (const Hop& hop : hops) {
    const std::size_t c = hop.channel.index();
    if (hop.first) destinations += kDestinationCosts.change(destinations_[c], sign);
    flows += flow_cost(flows_[c] + sign * static_cast<double>(flow.from.size())) - flow_cost(flows_[c]);
    for (HostId host : flow.from)
      shifts += kShiftCosts.change(shift_flows_[by_shift(host, flow.to, hop.channel)], sign);
  }
  return destinations * destination_weight_ + flows * flow_weight_ + shifts * shift_weight_;
}

}  // namespace rch::engines::common
