#include "engines/dfsssp/spread.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rch::engines::dfsssp {
namespace {

/// What counters cost: one more hardly counts on a channel that has few, and decides on the fullest.
template <class Cost>
class Costs {
 public:
  explicit Costs(Cost cost) {
    for (std::size_t count = 0; count < costs_.size(); ++count)
      costs_[count] = cost(static_cast<double>(count));
  }
  double at(std::size_t count) const { return costs_[std::min(count, costs_.size() - 1)]; }
  double change(std::size_t count, std::size_t by, int sign) const {
    return at(sign > 0 ? count + by : count - by) - at(count);
  }

 private:
  std::array<double, 256> costs_;
};

const Costs kDestinations([](double count) { return std::exp2(count); });
const Costs kShift([](double count) { return std::exp2(3 * count); });

double flows_cost(double count) { return count * count * count * count; }

}  // namespace

Spread::Spread(const Routes& routes) : channels_(routes.channels().size()) {
  const fabric::SubFabric& view = routes.view();
  std::vector<SwitchId> switches;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) switches.push_back(SwitchId(s));
  std::ranges::sort(switches, {}, [&](SwitchId sw) { return view.node(sw).guid; });
  for (SwitchId sw : switches) {
    const auto [begin, end] = routes.trees_to(sw);
    for (std::size_t t = begin; t < end; ++t) {
      const bool first = t == begin || routes.tree(t).host != routes.tree(t - 1).host;
      if (first && !routes.tree(t).host.is_none()) hosts_.push_back({sw, static_cast<std::uint32_t>(t)});
    }
  }
  destinations_.resize(channels_);
  flows_.resize(channels_);
  shifted_.resize(hosts_.size() * channels_);
}

void Spread::change(const Flow& flow, std::span<const Step> steps, int sign) {
  for (const Step& step : steps) {
    const std::size_t c = step.channel.index();
    destinations_[c] = static_cast<std::uint16_t>(destinations_[c] + (step.fresh ? sign : 0));
    flows_[c] += static_cast<std::uint32_t>(sign) * static_cast<std::uint32_t>(flow.from.size());
    for (std::uint32_t host : flow.from) {
      std::uint16_t& count = shifted_[shift(host, flow.to) * channels_ + c];
      count = static_cast<std::uint16_t>(count + sign);
    }
  }
}

Spread::Peaks Spread::peaks() const {
  Peaks peaks;
  for (std::uint16_t count : destinations_)
    peaks.destinations = std::max<std::size_t>(peaks.destinations, count);
  for (std::uint16_t count : shifted_) peaks.shift = std::max<std::size_t>(peaks.shift, count);
  return peaks;
}

void Spread::weigh() {
  double destinations = 0, flows = 0, shifts = 0;
  for (std::size_t c = 0; c < channels_; ++c) {
    destinations += kDestinations.at(destinations_[c]);
    flows += flows_cost(flows_[c]);
  }
  for (std::uint16_t count : shifted_) shifts += kShift.at(count);
  of_destinations_ = 1 / destinations;
  of_flows_ = 1 / flows;
  of_shifts_ = 1 / shifts;
}

bool Spread::is_better(const Flow& flow, std::span<const Step> from, std::span<const Step> to) const {
  constexpr double kLeast = -1e-9;
  return difference(flow, from, -1) + difference(flow, to, 1) < kLeast;
}

double Spread::difference(const Flow& flow, std::span<const Step> steps, int sign) const {
  double destinations = 0, flows = 0, shifts = 0;
  for (const Step& step : steps) {
    const std::size_t c = step.channel.index();
    if (step.fresh) destinations += kDestinations.change(destinations_[c], 1, sign);
    flows += flows_cost(flows_[c] + sign * static_cast<double>(flow.from.size())) - flows_cost(flows_[c]);
    for (std::uint32_t host : flow.from)
      shifts += kShift.change(shifted_[shift(host, flow.to) * channels_ + c], 1, sign);
  }
  return destinations * of_destinations_ + flows * of_flows_ + shifts * of_shifts_;
}

}  // namespace rch::engines::dfsssp
