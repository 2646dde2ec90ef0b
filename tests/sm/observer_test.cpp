// The observer beside a manager, on a fabric in memory.

#include "sm/observer.h"

#include <gtest/gtest.h>

#include "hw/driver.h"
#include "sm/managers.h"
#include "support/small_fabrics.h"

namespace rch::sm {
namespace {

class ObserverTest : public testing::Test {
 protected:
  /// Another subnet manager has brought the fabric up.
  void SetUp() override {
    hw::Driver first(manager, {});
    const Planner planner = [](const fabric::Fabric& live) -> Result<chains::Plan> {
      return test::plan_by_ports(live, false);
    };
    const InstallOptions options;
    ASSERT_TRUE(first.wait(apply(first, planner, options)));
    fake.sets.clear();
    task.start();
  }
  /// Runs the observer until it has told of so many looks.
  const Result<Audit>& look(std::size_t count) {
    for (driver.carry_out(); told.size() < count; driver.carry_out()) driver.receive();
    return told.back();
  }

  const fabric::Fabric fabric = rch::test::build(rch::test::clos(3, 2, 2));
  sim::SimulatedFabric fake{fabric, fabric.end_ports()[0].port};
  sim::SimulatedPort manager{fake, fabric.end_ports()[0].port};
  sim::SimulatedPort port{fake, fabric.end_ports()[4].port};
  hw::Driver driver{port, {}};
  std::vector<Result<Audit>> told;
  Observer observer{
      driver,
      {.judge = [](const fabric::Fabric& live,
                   chains::FoundTables found) { return chains::judge_found({}, live, std::move(found), {}); },
       .tell = [this](const Result<Audit>& audit) { told.push_back(audit); }}};
  hw::Task<Result<void>> task = observer.run();
};

TEST_F(ObserverTest, SendsGetsOnlyAndJudges) {
  const auto& first = look(1);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->found.objection, "");
  EXPECT_TRUE(first->found.plan.verdict.clean());
  const auto before = fake.now();
  ASSERT_TRUE(look(2));
  EXPECT_GE(fake.now() - before, hw::Milliseconds{10000});
  EXPECT_TRUE(fake.sets.empty());
  EXPECT_EQ(get(fake.port_info[fabric.end_ports()[4].port.index()], hw::port_info::kCapIsSm), 0U);
}

TEST_F(ObserverTest, SeesChangedEntriesAndWhatTheyBreak) {
  ASSERT_TRUE(look(1));
  fake.lft_blocks[{SwitchId(0), 0}].fill(kNoPath);
  const auto& second = look(2);
  ASSERT_TRUE(second);
  EXPECT_GT(second->entries_changed, 0U);
  EXPECT_FALSE(second->fabric_changed);
  EXPECT_NE(second->found.objection, "");
}

TEST_F(ObserverTest, SaysWhenItSeesNothing) {
  ASSERT_TRUE(look(1));
  fake.lose_request = [](const sim::Visit&) { return true; };
  EXPECT_FALSE(look(2));
  fake.lose_request = [](const sim::Visit&) { return false; };
  EXPECT_TRUE(look(3));
}

}  // namespace
}  // namespace rch::sm
