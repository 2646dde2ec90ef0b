// Switches that answer a look, and fall silent in the commit behind it.

#include "sm/stations.h"

namespace rch::sm {
namespace {

class LateFaultTest : public test::StationsTest {
 protected:
  void SetUp() override {
    ASSERT_TRUE(bring_up(add(0))) << told();
    const auto carries_hosts = [&](std::uint32_t s) { return !fabric.end_ports_of(SwitchId(s)).empty(); };
    while (carries_hosts(spine.value)) ++spine.value;
    fake.lose_request = [this](const sim::Visit& visit) {
      return is_silent && visit.node == spine && visit.method == hw::Method::set &&
             visit.attribute == test::Attribute::linear_table;
    };
  }
  /// Asks for another plan, and waits until it is installed.
  bool replan(test::milliseconds most) {
    const std::uint64_t before = status().generation;
    const auto by_high_ports = [](const fabric::Fabric& live, const Known&) -> Result<chains::Plan> {
      return test::plan_by_ports(live, true);
    };
    stations.front()->manager.replan(by_high_ports, {}, 1);
    return run([&] { return status().generation > before; }, most);
  }
  Status status() const { return stations.front()->manager.status(); }

  NodeId spine{0};
  bool is_silent = true;
};

// A cable that was out for a while is the reason mostly.
TEST_F(LateFaultTest, WhatFailsOnceIsNotLeftOut) {
  EXPECT_FALSE(replan(test::milliseconds{2500}));
  EXPECT_TRUE(status().degraded);
  is_silent = false;
  EXPECT_TRUE(run([&] { return status().proven; }, std::chrono::seconds{5})) << told();
  EXPECT_EQ(status().quarantined, 0U);
  EXPECT_EQ(status().retries, 0U);
}

TEST_F(LateFaultTest, WhatFailsTwiceIs) {
  EXPECT_TRUE(replan(std::chrono::seconds{15})) << told();
  EXPECT_TRUE(status().proven);
  EXPECT_EQ(status().quarantined, 1U);
  EXPECT_EQ(unreachable_pairs(), 0U);
}

// The switches were asked before they noted the change, so the look alone does not show it.
TEST_F(LateFaultTest, BehindACableThatIsPulledDuringALookNothingIsLeftOut) {
  is_silent = false;
  bool pulled = false;
  fake.lose_request = [&](const sim::Visit& visit) {
    const PortId far = fabric.port(visit.arrival).peer;
    if (pulled || visit.attribute != test::Attribute::switch_info || far.is_none()) return false;
    pulled = fabric.port(far).node == spine && visit.node.value < fabric.switch_count();
    if (pulled) fake.pull(visit.arrival, false);
    return pulled;
  };
  std::size_t most = 0;
  stations.front()->manager.sweep();
  EXPECT_TRUE(run(
      [&] {
        most = std::max(most, status().quarantined);
        return pulled && status().proven && unreachable_pairs() == 0;
      },
      std::chrono::seconds{60}))
      << told();
  EXPECT_EQ(most, 0U);
}

}  // namespace
}  // namespace rch::sm
