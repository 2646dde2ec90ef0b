#include "report/path_loads.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "../verify/hand_tables.h"
#include "../verify/riddle.h"
#include "verify/metrics/metrics.h"

namespace rch::report {
namespace {

/// What verify::measure finds, which sums up trees in another way.
void expect_like_metrics(const fabric::Fabric& fabric, const fabric::RoutingTables& tables) {
  const PathLoads loads = path_loads(fabric, tables);
  const verify::Metrics metrics = verify::measure(fabric, tables, {.samples = 1});
  RC_ASSERT(loads.pairs == metrics.pairs);
  verify::Histogram hops;
  for (std::size_t cables = 0; cables < loads.hops.size(); ++cables)
    if (loads.hops[cables] != 0) hops.bins.push_back({cables, loads.hops[cables]});
  RC_ASSERT(hops.bins == metrics.hops.bins);
  const auto flows = verify::flows_to(fabric, tables, IdSet<Lid>(fabric.max_lid().index() + 1, true));
  for (std::size_t port = 0; port < flows.size(); ++port) {
    std::uint64_t sum = 0;
    for (const auto& step : loads.by_step) sum += step[port];
    RC_ASSERT(sum == flows[port]);
  }
}

RC_GTEST_PROP(PathLoadsProperty, AreTheFlowsOfTheMetrics, (std::uint32_t seed)) {
  const test::Riddle riddle(seed);  // also tables that lose packets, and that send them round
  expect_like_metrics(riddle.fabric(), riddle.tables());
}

TEST(PathLoads, AStepHasTheFlowsOfItsOwnEntries) {
  const auto fabric = test::ring(6);
  auto tables = test::empty_tables(fabric);
  for (std::uint32_t to = 0; to < 6; ++to) test::route_ring(tables, fabric, to, 3);
  const Lid first = test::host_lid(fabric, 0);
  test::add_step(tables, fabric, 2, std::vector{first});
  const PathLoads loads = path_loads(fabric, tables);
  ASSERT_EQ(loads.by_step.size(), 2U);
  const auto to_first = [&](std::uint32_t sw, std::uint8_t out) {
    return loads.by_step[1][fabric.port_id(SwitchId(sw), PortNum(out)).index()];
  };
  // Hosts 3, 4 and 5 go forward to host 0, hosts 1 and 2 back.
  EXPECT_EQ(to_first(5, test::forward(5)), 3U);
  EXPECT_EQ(to_first(3, test::forward(3)), 1U);
  EXPECT_EQ(to_first(1, test::backward(1)), 2U);
  EXPECT_EQ(to_first(0, test::forward(0)), 0U);
}

}  // namespace
}  // namespace rch::report
