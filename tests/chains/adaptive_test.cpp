// Adaptive engines: groups of ports that no choice of the switches makes unsafe, in chains and in plan files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chain_fixture.h"
#include "chains/plan_file.h"
#include "support/small_fabrics.h"
#include "verify/verify.h"

namespace rch::chains {
namespace {

using fabric::AdaptiveTables;
using fabric::Fabric;
using testing::HasSubstr;

std::uint64_t found_of(const verify::Verdict& verdict, verify::FindingKind kind) {
  const auto found = std::ranges::find(verdict.findings, kind, &verify::Finding::kind);
  return found == verdict.findings.end() ? 0 : found->count;
}

ChainRun routed_by(const Fabric& fabric, const std::string& engine) {
  test::Chain chain(fabric);
  chain.step(1, engine);
  return chain.good_run();
}

std::size_t lids_with_groups(const AdaptiveTables& tables) {
  std::size_t lids = 0;
  for (std::uint32_t lid = 1; !tables.empty() && lid <= tables.max_lid().value; ++lid)
    lids += tables.column_of(Lid(static_cast<std::uint16_t>(lid))) != AdaptiveTables::kNoColumn ? 1 : 0;
  return lids;
}

/// Groups of updn on any graph: whatever switches choose, packets turn from up to down at most once.
TEST(AdaptiveEngines, UpDownGroupsCloseNoLoopOnAnyFabric) {
  std::size_t with_groups = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    test::Shape shape = test::random_shape(seed, 14);
    shape.lmc = static_cast<std::uint8_t>(seed % 3);
    const Fabric fabric = test::build(shape);
    test::Chain fixed(fabric), adaptive(fabric);
    fixed.step(1, "updn");
    adaptive.step(1, "ar_updn");
    const auto by_entries = fixed.run(), by_choice = adaptive.run();
    ASSERT_EQ(by_entries.has_value(), by_choice.has_value()) << seed;
    if (!by_choice) continue;
    const verify::Verdict was = verify::verify(fabric, by_entries->tables);
    const verify::Verdict is = verify::verify(fabric, by_choice->tables);
    EXPECT_EQ(found_of(is, verify::FindingKind::loop), 0U) << seed;
    EXPECT_EQ(found_of(is, verify::FindingKind::credit_loop), 0U) << seed;
    EXPECT_EQ(found_of(is, verify::FindingKind::unreachable), found_of(was, verify::FindingKind::unreachable))
        << seed;
    with_groups += lids_with_groups(by_choice->tables.adaptive) > 0 ? 1 : 0;
  }
  EXPECT_GT(with_groups, 100U);
}

TEST(AdaptiveEngines, FtreeHasAllPortsUp) {
  const Fabric fabric = test::build(test::clos(4, 3, 2));
  const ChainRun run = routed_by(fabric, "ar_ftree");
  EXPECT_TRUE(verify::verify(fabric, run.tables).clean());
  EXPECT_EQ(lids_with_groups(run.tables.adaptive), 8U);
  const Lid far = fabric.end_ports_of(SwitchId(3))[0].lid;
  const fabric::PortGroup* const group = run.tables.adaptive.group(SwitchId(0), far);
  ASSERT_NE(group, nullptr);
  EXPECT_EQ(group->ports.count(), 3U);
  EXPECT_EQ(run.tables.adaptive.group(SwitchId(3), far), nullptr);
}

/// Shortest paths on a ring have choices that close a cycle; those on a tree do not.
TEST(AdaptiveEngines, ShortestPathsAreJudgedByTheirCycles) {
  const Fabric ring =
      test::build({.hosts = {1, 1, 1, 1, 1}, .cables = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}});
  EXPECT_GT(
      found_of(verify::verify(ring, routed_by(ring, "ar_minhop").tables), verify::FindingKind::credit_loop), 0U);
  const Fabric tree = test::build(test::clos(3, 2, 2));
  EXPECT_TRUE(verify::verify(tree, routed_by(tree, "ar_minhop").tables).clean());
}

/// All cables of a hop: safe where the entries are.
TEST(AdaptiveEngines, ParallelCablesFollowTheEntries) {
  const Fabric mesh = test::build(
      {.hosts = {1, 1, 1, 1}, .cables = {{0, 1}, {0, 1}, {2, 3}, {2, 3}, {0, 2}, {0, 2}, {1, 3}, {1, 3}}});
  const ChainRun run = routed_by(mesh, "ar_dor");
  EXPECT_TRUE(verify::verify(mesh, run.tables).clean());
  const Lid far = mesh.end_ports_of(SwitchId(3))[0].lid;
  const fabric::PortGroup* const group = run.tables.adaptive.group(SwitchId(0), far);
  ASSERT_NE(group, nullptr);
  EXPECT_EQ(group->ports.count(), 2U);
}

TEST(AdaptiveEngines, AStepHasGroupsForWhatItRoutes) {
  const Fabric fabric = test::build(test::clos(4, 3, 2));
  test::Chain chain(fabric);
  chain.step(1, "updn");
  chain.step(2, "ar_updn", 1);
  chain.topology(1, test::ports_of(fabric, {0, 1, 4, 5, 6}));
  const ChainRun run = chain.good_run();
  EXPECT_TRUE(verify::verify(fabric, run.tables).clean());
  const Lid inside = fabric.end_ports_of(SwitchId(1))[0].lid,
            outside = fabric.end_ports_of(SwitchId(3))[0].lid;
  EXPECT_NE(run.tables.adaptive.group(SwitchId(0), inside), nullptr);
  EXPECT_EQ(run.tables.adaptive.group(SwitchId(0), outside), nullptr);
  EXPECT_EQ(run.tables.adaptive.group(SwitchId(2), inside), nullptr);
}

TEST(AdaptiveEngines, AStepTakesGroupsAway) {
  const Fabric fabric = test::build(test::clos(4, 3, 2));
  test::Chain chain(fabric);
  chain.step(1, "ar_updn");
  chain.step(2, "updn", 1);
  chain.topology(1, test::ports_of(fabric, {0, 1, 4, 5, 6}));
  const ChainRun run = chain.good_run();
  EXPECT_TRUE(verify::verify(fabric, run.tables).clean());
  const Lid inside = fabric.end_ports_of(SwitchId(1))[0].lid,
            outside = fabric.end_ports_of(SwitchId(3))[0].lid;
  EXPECT_EQ(run.tables.adaptive.group(SwitchId(0), inside), nullptr);
  EXPECT_NE(run.tables.adaptive.group(SwitchId(0), outside), nullptr);
  EXPECT_NE(run.tables.adaptive.group(SwitchId(2), inside), nullptr);
}

TEST(AdaptiveEngines, GroupsOutliveAPlanFile) {
  const Fabric fabric = test::build(test::clos(4, 3, 2));
  Plan plan = *test::plan_on(fabric, "routing_engine ar_updn\nshield_mode 0\nar_sl_mask 0x00FF\n");
  ASSERT_TRUE(plan.verdict.clean());
  const auto back = decode_plan(encode_plan(plan));
  ASSERT_TRUE(back) << back.error().message;
  const AdaptiveTables &was = plan.tables->adaptive, &is = back->tables->adaptive;
  ASSERT_EQ(is.switch_count(), was.switch_count());
  for (std::uint32_t s = 0; s < was.switch_count(); ++s) {
    EXPECT_EQ(is.at(SwitchId(s)).groups, was.at(SwitchId(s)).groups);
    EXPECT_EQ(is.at(SwitchId(s)).sls, 0x00FF);
    EXPECT_TRUE(is.at(SwitchId(s)).enabled);
    EXPECT_FALSE(is.at(SwitchId(s)).fast_recovery);
    for (std::uint32_t lid = 1; lid <= fabric.max_lid().value; ++lid) {
      const Lid at(static_cast<std::uint16_t>(lid));
      const auto *before = was.group(SwitchId(s), at), *after = is.group(SwitchId(s), at);
      ASSERT_EQ(before == nullptr, after == nullptr);
      if (before != nullptr) {
        EXPECT_EQ(*before, *after);
      }
    }
  }
}

TEST(AdaptiveEngines, MakeNoGroupsWhereSwitchesGetNone) {
  const Fabric fabric = test::build(test::clos(4, 3, 2));
  const Plan off = *test::plan_on(fabric, "routing_engine ar_updn\nar_mode 0\n");
  EXPECT_TRUE(off.tables->adaptive.empty());
  PlanRequest request;
  request.makes_groups = false;
  const Plan live = *test::plan_on(fabric, "routing_engine ar_updn\n", request);
  EXPECT_TRUE(live.tables->adaptive.empty());
  EXPECT_THAT(live.steps.front().remarks, testing::Contains(HasSubstr("the entries alone")));
  EXPECT_EQ(live.tables->lfts, test::plan_on(fabric, "routing_engine ar_updn\n")->tables->lfts);
}

}  // namespace
}  // namespace rch::chains
