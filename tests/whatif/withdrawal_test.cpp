// Parts that are taken out of service on purpose, and configurations that replace others.

#include "whatif/withdrawal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../chains/chain_fixture.h"
#include "fabric/table_changes.h"
#include "support/small_fabrics.h"

namespace rch::whatif {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Four leaves (switches 0 to 3) with two hosts each, and two spines (4 and 5).
class Withdrawn : public testing::Test {
 protected:
  Withdrawal judged(const Failure& parts) const { return judge_withdrawal(judge, fabric(), parts); }
  const fabric::Fabric& fabric() const { return *base.plan.fabric; }
  NodeId host(std::size_t number) const { return fabric().port(fabric().end_ports()[number].port).node; }

  static Base on_clos() {
    const auto policy = test::policy_of("routing_engine updn\n");
    Diagnostics diagnostics;
    return {policy, *chains::plan(policy, test::build(test::clos(4, 2, 2)), {}, diagnostics), {}};
  }
  const Base base = on_clos();
  const Judge judge{base};
};

TEST_F(Withdrawn, ASpareSwitchCutsNobodyOff) {
  const Withdrawal found = judged({{}, {NodeId(4)}});
  EXPECT_THAT(found.objections, IsEmpty());
  EXPECT_THAT(found.hosts, IsEmpty());
  EXPECT_GT(found.outcome.entries, 0U);
}

TEST_F(Withdrawn, ALeafStaysForItsHostsUnlessTheyGoAsWell) {
  const Withdrawal alone = judged({{}, {NodeId(2)}});
  EXPECT_EQ(alone.hosts.size(), 2U);
  ASSERT_EQ(alone.objections.size(), 1U);
  EXPECT_THAT(alone.objections.front(), HasSubstr("2 hosts are cut off: `"));
  std::vector<NodeId> all{NodeId(2)};
  for (std::size_t h = 0; h < fabric().end_ports().size(); ++h)
    if (fabric().end_ports()[h].sw == SwitchId(2)) all.push_back(host(h));
  EXPECT_THAT(judged({{}, all}).objections, IsEmpty());
}

TEST_F(Withdrawn, BothSpinesAreTheOnlyWay) {
  const Withdrawal found = judged({{}, {NodeId(4), NodeId(5)}});
  EXPECT_THAT(found.objections, testing::Not(IsEmpty()));
  EXPECT_THAT(found.switches, testing::Not(IsEmpty()));
}

TEST_F(Withdrawn, TheCableOfAHostIsThatHost) {
  const PortId port = fabric().end_ports()[3].port;
  EXPECT_THAT(judged({{port}, {}}).objections, IsEmpty());
  EXPECT_THAT(judged({{fabric().port(port).peer}, {}}).objections, IsEmpty());
  EXPECT_THAT(judged({{}, {host(3)}}).objections, IsEmpty());
}

TEST_F(Withdrawn, ASwitchBehindAnotherIsNamed) {
  const auto policy = test::policy_of("routing_engine minhop\n");
  Diagnostics diagnostics;
  const Base row{
      policy,
      *chains::plan(policy, test::build({.hosts = {2, 1, 0}, .cables = {{0, 1}, {1, 2}}}), {}, diagnostics),
      {}};
  const Judge of_row(row);
  const Withdrawal found = judge_withdrawal(of_row, *row.plan.fabric, {{}, {NodeId(1)}});
  EXPECT_THAT(found.switches, ElementsAre("`switch 2` (0x0000000000100010)"));
  EXPECT_EQ(found.hosts.size(), 1U);
}

/// What is said of another configuration is what a plan of it says that keeps LIDs.
TEST_F(Withdrawn, AnotherConfigurationIsACaseOfItsOwn) {
  const auto other = test::policy_of("routing_engine minhop\n");
  const Judge with(base, {{"other.conf", other, {}}});
  const Outcome outcome = with.judge(3, {{}, {}, "other.conf"});
  EXPECT_EQ(outcome.failure, "configuration `other.conf`");
  EXPECT_EQ(outcome.routing, Routing::as_before) << outcome.reason;
  EXPECT_THAT(outcome.steps, HasSubstr("minhop"));
  Diagnostics diagnostics;
  const auto plan = chains::plan(other, fabric(),
                                 {.installed = &base.plan,
                                  .settings = {},
                                  .may_reassign = false,
                                  .may_change_sls = true,
                                  .makes_groups = false},
                                 diagnostics);
  ASSERT_TRUE(plan);
  EXPECT_EQ(outcome.entries, fabric::table_changes(*base.plan.fabric, base.plan.tables->lfts, *plan->fabric,
                                                   plan->tables->lfts)
                                 .entries);
  EXPECT_EQ(with.judge(4, {{}, {}, "unknown"}).routing, Routing::none);
}

}  // namespace
}  // namespace rch::whatif
