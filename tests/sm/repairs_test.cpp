// What a manager says of repairs while its configuration has no plan.

#include "sm/stations.h"

namespace rch::sm {
namespace {

using test::Station;

class RepairsTest : public test::StationsTest {
 protected:
  /// A manager whose chain has no plan any more.
  Station& start() {
    const auto planner = [this](const fabric::Fabric& live, const Known& known) -> Result<chains::Plan> {
      if (refused && !known.repairs)
        return fail(ErrorKind::unroutable, "no engine routes this" + std::string(chains::kTablesStay));
      chains::Plan plan = test::plan_by_ports(live, false);
      if (known.repairs) plan.lost_pairs = lost_pairs();
      return plan;
    };
    ManagerSettings settings;
    settings.heals = true;
    stations.push_back(std::make_unique<Station>(fake, host(0), settings, planner));
    EXPECT_TRUE(bring_up(*stations.front())) << told();
    run_for(std::chrono::seconds{3});
    refused = true;
    stations.front()->manager.replan(planner, settings, 1);
    EXPECT_TRUE(run([&] { return status().degraded.has_value(); })) << told();
    run_for(std::chrono::seconds{3});
    fake.after_set = [this](const sim::Visit&) { always_degraded &= status().degraded.has_value(); };
    return *stations.front();
  }
  Status status() const { return stations.front()->manager.status(); }
  std::uint64_t heals() const { return stations.front()->manager.counters().heals; }
  std::size_t lost_pairs() {
    return unreachable_pairs([this](PortId port) { return port != unplugged; });
  }
  void pull(PortId port) {
    fake.pull(port);
    run_for(std::chrono::seconds{4});
  }
  /// Cables of two leaves that entries lead over, one at a time.
  PortId used_cable() {
    for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
      const fabric::Port& port = fabric.port(PortId(p));
      if (port.peer.is_none() || !fabric.is_switch(port.node) ||
          !fabric.is_switch(fabric.port(port.peer).node) || port.node == last_)
        continue;
      for (const auto& [at, entries] : fake.lft_blocks)
        if (at.first == SwitchId(port.node.value) && !fabric.end_ports_of(at.first).empty() &&
            std::ranges::find(entries, port.number.value) != entries.end()) {
          last_ = port.node;
          return PortId(p);
        }
    }
    return PortId::none();
  }
  PortId unplugged = PortId::none();
  bool always_degraded = true;

 private:
  NodeId last_ = NodeId::none();
};

TEST_F(RepairsTest, TwoInARowAreBothInEffect) {
  start();
  for (const std::uint64_t number : {1U, 2U}) {
    pull(used_cable());
    EXPECT_EQ(lost_pairs(), 0U) << told();
    EXPECT_EQ(heals(), number);
    EXPECT_TRUE(status().heals) << number;
    ASSERT_TRUE(status().degraded);
    EXPECT_TRUE(status().degraded->ends_with("a repair of the installed tables is in effect"))
        << *status().degraded;
  }
  EXPECT_TRUE(always_degraded) << "the configuration has no plan all the time";
}

// What the first repair leaves comes back by a second one, which does not wait until the chain has planned.
TEST_F(RepairsTest, ThatLeavesPairsIsFollowedByAnotherOne) {
  std::vector<std::string> asked;
  std::size_t repairs = 0;
  const auto planner = [&](const fabric::Fabric& live, const Known& known) -> Result<chains::Plan> {
    chains::Plan plan = test::plan_by_ports(live, false);
    asked.emplace_back(known.repairs ? "repair" : "chain");
    if (known.repairs) {
      plan.lost_pairs = 2;
      plan.left_pairs = repairs++ == 0 ? 1 : 0;
    }
    return plan;
  };
  ManagerSettings settings;
  settings.heals = true;
  stations.push_back(std::make_unique<Station>(fake, host(0), settings, planner));
  ASSERT_TRUE(bring_up(*stations.front())) << told();
  run_for(std::chrono::seconds{3});
  asked.clear();
  pull(used_cable());
  ASSERT_GE(asked.size(), 3U);
  asked.resize(3);
  EXPECT_EQ(asked, (std::vector<std::string>{"repair", "repair", "chain"}));
  EXPECT_EQ(heals(), 1U) << "both are one healing";
  EXPECT_EQ(status().pairs_without_path, 0U);
}

TEST_F(RepairsTest, AHostThatIsUnpluggedIsNoRepair) {
  start();
  unplugged = host(5);
  pull(unplugged);
  EXPECT_EQ(heals(), 0U) << told();
  EXPECT_FALSE(status().heals);
  EXPECT_TRUE(status().degraded);
  EXPECT_TRUE(always_degraded);
}

TEST_F(RepairsTest, ACableThatComesBackHealsNothing) {
  start();
  const PortId cable = used_cable();
  pull(cable);
  ASSERT_EQ(heals(), 1U) << told();
  fake.plug(cable);
  run_for(std::chrono::seconds{4});
  EXPECT_EQ(heals(), 1U) << told();
  EXPECT_TRUE(status().degraded);
}

}  // namespace
}  // namespace rch::sm
