// One pass over a fabric in memory.

#include <gtest/gtest.h>

#include "sm/managers.h"
#include "support/small_fabrics.h"

namespace rch::sm {
namespace {

namespace pi = hw::port_info;
using sim::Visit;

class Apply : public testing::Test {
 protected:
  Result<hw::CommitReport> run(const InstallOptions& options = {}, bool high = false) {
    sim::SimulatedPort port(fake, fabric.end_ports()[0].port);
    hw::Driver driver(port, {});
    fake.sets.clear();
    const auto planner = [&](const fabric::Fabric& live) -> Result<chains::Plan> {
      chains::Plan plan = test::plan_by_ports(live, high);
      plan.verdict.findings = findings;
      return plan;
    };
    return driver.wait(apply(driver, planner, options));
  }
  std::uint8_t entry(std::uint32_t sw, std::size_t lid) { return fake.lft_blocks.at({SwitchId(sw), 0})[lid]; }

  const fabric::Fabric fabric = rch::test::build(rch::test::clos(3, 2, 2));
  sim::SimulatedFabric fake{fabric, fabric.end_ports()[0].port};
  std::vector<verify::Finding> findings;
};

TEST_F(Apply, BringsUpAndThenFindsNothingToDo) {
  const auto first = run();
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->lft_blocks, 5U);
  const auto second = run();
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->writes(), 0U);
  EXPECT_TRUE(fake.sets.empty());
}

TEST_F(Apply, ChangesTables) {
  ASSERT_TRUE(run());
  const auto changed = run({}, true);
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_GT(changed->lft_blocks, 0U);
  const chains::Plan plan = test::plan_by_ports(fabric, true);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    for (std::uint16_t lid = 1; lid <= 11; ++lid)
      EXPECT_EQ(entry(s, lid), plan.tables->lfts.at(SwitchId(s), Lid(lid)));
}

TEST_F(Apply, ADryRunWritesNothingAndIsNoManager) {
  fake.on_visit = [&](std::size_t, const Visit&) {
    EXPECT_EQ(get(fake.port_info[fabric.end_ports()[0].port.index()], pi::kCapIsSm), 0U);
  };
  const auto report = run({.dry_run = true});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_GT(report->writes(), 0U);
  EXPECT_TRUE(fake.sets.empty());
}

TEST_F(Apply, AVerdictWithFindingsForbidsTheCommit) {
  findings.emplace_back();
  const auto report = run();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::forbidden);
  EXPECT_TRUE(fake.sets.empty());
}

TEST_F(Apply, ASwitchThatStartsAgainBeforeTheCommitIsNotMissed) {
  ASSERT_TRUE(run());
  for (hw::SmpData& info : fake.switch_info) set(info, hw::switch_info::kPortStateChange, 1);
  bool rebooted = false;
  fake.on_visit = [&](std::size_t, const Visit& visit) {
    const bool reads = visit.attribute == hw::Attribute::linear_table && visit.method == hw::Method::get;
    if (!reads || visit.node != NodeId(4) || rebooted) return;
    rebooted = true;  // its ports and its table were read before
    fake.reboot(SwitchId(0));
  };
  const auto report = run({}, true);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message,
            "the fabric is not as it was left: a switch started again or a port changed during the commit; "
            "run again");
  EXPECT_TRUE(run({}, true)) << "the next run completes it";
}

TEST_F(Apply, LosesTheMastershipWhenOurPortNamesAnotherManager) {
  ASSERT_TRUE(run());
  fake.on_visit = [&](std::size_t, const Visit& visit) {
    if (visit.attribute == hw::Attribute::linear_table)
      set(fake.port_info[fabric.end_ports()[0].port.index()], pi::kMasterSmLid, 3);
  };
  const auto report = run({}, true);
  ASSERT_FALSE(report);
  EXPECT_EQ(
      report.error().message,
      "the mastership was lost: our port has LID 6 and names LID 3 as its subnet manager, not 6 and 6 (the "
      "commit stopped before the step `write forwarding tables`)");
  EXPECT_EQ(report.error().cause, "mastership-lost");
}

}  // namespace
}  // namespace rch::sm
