#include "engines/common/port_selection/throttled_links.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "base/text.h"
#include "engines/common/failure.h"

namespace rch::engines::common {
namespace {

std::uint32_t lane_count(fabric::LinkWidth width) {
  switch (width) {
    case fabric::LinkWidth::x1:
      return 1;
    case fabric::LinkWidth::x2:
      return 2;
    case fabric::LinkWidth::x4:
      return 4;
    case fabric::LinkWidth::x8:
      return 8;
    case fabric::LinkWidth::x12:
      return 12;
    case fabric::LinkWidth::unknown:
      break;
  }
  return 0;
}

/// Data rate of one lane in Mb/s, by LinkSpeed.
constexpr std::array<std::uint32_t, 10> kLaneRate{0,     2000,  4000,  8000,   10000,
                                                  13600, 25000, 50000, 100000, 200000};

/// Mb/s; 0 unknown.
std::uint32_t rate(const fabric::Port& port) {
  return lane_count(port.width) * kLaneRate[static_cast<std::size_t>(port.speed)];
}

/// By switch of the view.
std::vector<std::uint32_t> best_rates(const fabric::SubFabric& view) {
  std::vector<std::uint32_t> best(view.switch_count());
  for (std::uint32_t s = 0; s < best.size(); ++s)
    for (std::uint32_t p = 1; p <= view.node(SwitchId(s)).num_ports; ++p)
      best[s] =
          std::max(best[s], rate(view.fabric().port(PortId(view.node(SwitchId(s)).first_port.value + p))));
  return best;
}

}  // namespace

UnthrottledLinks unthrottled_links(const fabric::SubFabric& view) {
  const std::vector<std::uint32_t> best = best_rates(view);
  std::vector<fabric::SwitchGraph::Edge> fast;
  std::vector<std::string> slow;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    const SwitchId from(s);
    for (const fabric::Neighbor& n : view.graph().neighbors(from))
      for (const fabric::SwitchLink& link : view.graph().links(n)) {
        const std::uint32_t runs =
            rate(view.fabric().port(view.fabric().port_id(view.fabric_switch(from), link.out)));
        if (runs == 0 || runs >= std::min(best[s], best[n.sw.index()]))
          fast.push_back({from, link.out, n.sw, link.in});
        else if (from < n.sw)
          slow.push_back(fmt::format("`{}` port {} to `{}` port {}", view.node(from).name(), link.out,
                                     view.node(n.sw).name(), link.in));
      }
  }
  UnthrottledLinks result{fabric::SwitchGraph(view.switch_count(), std::move(fast)), {}};
  if (!slow.empty())
    result.remarks.push_back(fmt::format("{} below the rate of both switches and not used: {}",
                                         counted(slow.size(), "cable"), list_some(slow, ", ")));
  return result;
}

}  // namespace rch::engines::common
