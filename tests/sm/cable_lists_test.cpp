// Lists of cables and switches under a manager that stays.

#include "sm/stations.h"

namespace rch::sm {
namespace {

class CableListsTest : public test::StationsTest {
 protected:
  static std::shared_ptr<const fabric::CablePolicy> of_another_fabric() {
    return std::make_shared<const fabric::CablePolicy>(
        std::vector<fabric::CableEntry>{{Guid{0x900}, PortNum(1), Guid{0x901}, PortNum(1)}},
        std::set<Guid>());
  }
  Status status() const { return stations.front()->manager.status(); }
  /// The fabric is routed around a cable that is pulled, and status names the list.
  void expect_to_heal() {
    EXPECT_TRUE(status().list_ignored);
    ASSERT_TRUE(status().degraded);
    EXPECT_TRUE(status().degraded->starts_with(fabric::kListFitsNothing)) << *status().degraded;
    EXPECT_EQ(unreachable_pairs(), 0U);
    fake.pull(cable());
    EXPECT_GT(unreachable_pairs(), 0U);
    EXPECT_TRUE(run([&] { return unreachable_pairs() == 0; }, std::chrono::seconds{30})) << told();
    EXPECT_TRUE(status().proven);
    EXPECT_EQ(status().end_ports, fabric.end_ports().size());
    EXPECT_EQ(std::ranges::count_if(stations.front()->told,
                                    [](const std::string& text) { return text.starts_with("degraded"); }),
              1);
  }
};

TEST_F(CableListsTest, AtTheStartAListThatFitsNothingIsNotApplied) {
  cables = of_another_fabric();
  ASSERT_TRUE(bring_up(add(0))) << told();
  expect_to_heal();
}

TEST_F(CableListsTest, AfterAReloadItIsNotAppliedEither) {
  ASSERT_TRUE(bring_up(add(0))) << told();
  EXPECT_FALSE(status().degraded);
  const auto by_ports = [](const fabric::Fabric& live, const Known&) -> Result<chains::Plan> {
    return test::plan_by_ports(live, false);
  };
  ManagerSettings settings;
  settings.cables = of_another_fabric();
  stations.front()->manager.replan(by_ports, settings, 1);
  ASSERT_TRUE(run([&] { return status().configuration == 1; })) << told();
  expect_to_heal();
  settings.cables = nullptr;
  stations.front()->manager.replan(by_ports, settings, 2);
  ASSERT_TRUE(run([&] { return status().configuration == 2; })) << told();
  EXPECT_FALSE(status().degraded);
}

TEST_F(CableListsTest, ThePlanHasTheListThatIsApplied) {
  cables = of_another_fabric();
  ASSERT_TRUE(bring_up(add(0))) << told();
  const auto applied = stations.front()->manager.installed()->cables;
  ASSERT_TRUE(applied);
  EXPECT_FALSE(applied->entries());
}

}  // namespace
}  // namespace rch::sm
