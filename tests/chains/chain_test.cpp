// Order, fallbacks, degradation and failure of a chain (docs/chains.md).

#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chain_fixture.h"
#include "engines/minhop/minhop.h"
#include "support/golden_case.h"
#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using fabric::ForwardingTables;
using test::Chain;
using test::outline;
using testing::ElementsAre;
using testing::HasSubstr;

// On a Clos fabric the torus engine always fails: there is no seed.
constexpr auto kFails = "torus-2QoS";

Fabric clos(std::uint8_t lmc = 0) {
  test::Shape shape = test::clos(4, 2, 4);
  shape.lmc = lmc;
  return test::build(shape);
}

/// Leaves 0 and 1 with their hosts, and one spine: routes inside it cannot balance over both spines.
IdSet<PortId> pod(const Fabric& fabric) { return test::ports_of(fabric, {0, 1, 5}); }

ForwardingTables minhop_tables(const Fabric& fabric) {
  return std::move(engines::minhop::route(fabric::SubFabric(fabric), {})->lfts);
}

TEST(Chain, OneStepIsTheEngineItself) {
  const Fabric fabric = clos(1);
  Chain chain(fabric);
  chain.step(1, "minhop");
  const ChainRun run = chain.good_run();
  EXPECT_TRUE(run.tables.lfts == minhop_tables(fabric));
  EXPECT_EQ(outline(run.steps), "1 routed");
  EXPECT_EQ(run.steps[0].entries, 6U * (16 * 2 + 6));
  EXPECT_TRUE(run.hops.has_value());
  EXPECT_FALSE(run.degraded);
  EXPECT_TRUE(run.tables.steps[0].covers(SwitchId(5), Lid(3)));
}

class OverlayEngines : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Chain, OverlayEngines, testing::Values("minhop", "ftree", "pqft"));

TEST_P(OverlayEngines, APathBitTouchesItsOwnLidsOnly) {
  const Fabric fabric = clos(1);
  Chain chain(fabric);
  chain.step(1, "minhop");
  chain.step(2, GetParam(), 1).path_bit = 1;
  chain.topology(1, pod(fabric));
  const ChainRun run = chain.good_run();

  const ForwardingTables before = minhop_tables(fabric);
  std::size_t changed = 0;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    for (std::uint16_t l = 1; l <= fabric.max_lid().value; ++l) {
      if (run.tables.lfts.at(SwitchId(s), Lid(l)) == before.at(SwitchId(s), Lid(l))) continue;
      ++changed;
      const fabric::Port& owner = fabric.port(*fabric.lid_owner(Lid(l)));
      EXPECT_EQ(l, owner.lid.value + 1);
      EXPECT_TRUE(s <= 1 || s == 5);
      EXPECT_EQ(run.tables.step_of(SwitchId(s), Lid(l)), 1U);
    }
  EXPECT_GT(changed, 0U);
  // 8 hosts on 3 switches; the rest stays with step 1.
  EXPECT_EQ(run.steps[1].entries, 24U);
  EXPECT_EQ(run.steps[0].entries, 6U * (16 * 2 + 6) - 24);
}

/// Nine hosts elsewhere and two ways: one of them is given one more by each path bit.
TEST(Chain, LoadCountersGoOnWithWhatEarlierStepsLeaveInForce) {
  test::Shape shape = test::clos(4, 2, 3);
  shape.lmc = 1;
  const Fabric fabric = test::build(shape);
  Chain chain(fabric);
  chain.step(1, "minhop");
  chain.step(2, "minhop").path_bit = 1;
  const ChainRun run = chain.good_run();
  for (std::uint32_t leaf = 0; leaf < 4; ++leaf) {
    std::map<std::uint8_t, int> entries;
    for (const fabric::EndPort& host : fabric.end_ports())
      for (std::uint16_t bit = 0; bit < 2; ++bit)
        if (host.sw != SwitchId(leaf))
          ++entries[run.tables.lfts.at(SwitchId(leaf),
                                       Lid(static_cast<std::uint16_t>(host.lid.value + bit)))];
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries.begin()->second, entries.rbegin()->second) << leaf;
  }
}

TEST(Chain, AFallbackTakesThePlaceOfItsStep) {
  const Fabric fabric = clos();
  Chain chain(fabric);
  chain.step(1, "minhop");
  chain.step(2, kFails, 1);
  chain.fallback(3, 2, "minhop", 1);
  chain.topology(1, pod(fabric));
  std::vector<std::string> seen;
  const auto run = chain.run([&](const StepOutcome& o) {
    seen.push_back(fmt::format("{} {}", o.step.id, o.tables != nullptr ? "tables" : "none"));
  });
  ASSERT_TRUE(run);
  EXPECT_THAT(seen, ElementsAre("1 tables", "2 none", "3 tables"));
  EXPECT_EQ(outline(run->steps), "1 routed, 2 failed, 3 routed");
  EXPECT_FALSE(run->degraded);
  EXPECT_EQ(run->steps[2].fallback_to, StepId(2));
  ASSERT_TRUE(run->steps[1].failure);
  EXPECT_FALSE(run->steps[1].failure->message.empty());
  ASSERT_EQ(run->tables.steps.size(), 2U);
  EXPECT_EQ(run->tables.steps[1].id, StepId(3));

  Chain direct(fabric);
  direct.step(1, "minhop");
  direct.step(3, "minhop", 1);
  direct.topology(1, pod(fabric));
  EXPECT_TRUE(run->tables.lfts == direct.good_run().tables.lfts);
}

TEST(Chain, AFailedStepWithoutFallbackLeavesEarlierRoutes) {
  const Fabric fabric = clos();
  Chain chain(fabric);
  chain.step(1, "minhop");
  chain.step(2, kFails, 1);
  chain.topology(1, pod(fabric));
  const ChainRun run = chain.good_run();
  EXPECT_EQ(outline(run.steps), "1 routed, 2 failed");
  EXPECT_TRUE(run.degraded);
  EXPECT_TRUE(run.tables.lfts == minhop_tables(fabric));
  EXPECT_EQ(run.tables.steps.size(), 1U);
}

TEST(Chain, FallbacksAreTriedByIdAndOnlyOneIsUsed) {
  const Fabric fabric = clos();
  Chain chain(fabric);
  chain.step(1, "minhop");
  chain.fallback(2, 5, kFails, 1);
  chain.fallback(4, 5, "minhop", 1);
  chain.step(5, kFails, 1);
  chain.fallback(6, 5, "minhop", 1);
  chain.topology(1, pod(fabric));
  EXPECT_EQ(outline(chain.good_run().steps), "1 routed, 5 failed, 2 failed, 4 routed, 6 not-needed");
}

TEST(Chain, AFallbackIsNotNeededWhenItsStepRoutes) {
  const Fabric fabric = clos();
  Chain chain(fabric);
  chain.step(1, "minhop");
  chain.fallback(2, 1, "minhop");
  const ChainRun run = chain.good_run();
  EXPECT_EQ(outline(run.steps), "1 routed, 2 not-needed");
  EXPECT_EQ(run.tables.steps.size(), 1U);
}

TEST(Chain, AFallbackRunsAtThePositionOfItsStep) {
  const Fabric fabric = clos();
  Chain chain(fabric);
  chain.step(1, "minhop");
  chain.step(2, kFails, 1);
  chain.step(3, "minhop", 1);
  chain.fallback(9, 2, "minhop", 1);
  chain.topology(1, pod(fabric));
  const ChainRun run = chain.good_run();
  EXPECT_EQ(outline(run.steps), "1 routed, 2 failed, 9 routed, 3 routed");
  // Step 3 covers the same entries and is laid over step 9.
  EXPECT_EQ(run.steps[2].entries, 0U);
  EXPECT_GT(run.steps[3].entries, 0U);
}

TEST(Chain, FallbacksOfAbsentStepsAndOfFallbacksNeverRun) {
  const Fabric fabric = clos();
  Chain chain(fabric);
  chain.step(1, kFails);
  chain.fallback(2, 7, "minhop");
  chain.fallback(3, 1, kFails);
  chain.fallback(4, 3, "minhop");
  const auto run = chain.run();
  ASSERT_FALSE(run);
  EXPECT_EQ(outline(run.error().steps), "1 failed, 3 failed");
}

TEST(Chain, NothingUndeclaredReplacesAFailedFirstStep) {
  const Fabric fabric = clos();
  Chain chain(fabric);
  chain.step(1, kFails);
  chain.step(2, "minhop", 1);
  chain.topology(1, pod(fabric));
  const auto run = chain.run();
  ASSERT_FALSE(run);
  EXPECT_EQ(outline(run.error().steps), "1 failed");
  ASSERT_TRUE(run.error().steps[0].failure);
  EXPECT_EQ(run.error().steps[0].failure->rule, "torus-config-absent");
}

TEST(Chain, AFallbackOfTheFirstStepRoutesEveryPathBit) {
  const Fabric fabric = clos(1);
  Chain chain(fabric);
  chain.step(1, kFails);
  chain.fallback(2, 1, "minhop").path_bit = 0;
  const ChainRun run = chain.good_run();
  EXPECT_EQ(outline(run.steps), "1 failed, 2 routed");
  EXPECT_TRUE(run.tables.lfts == minhop_tables(fabric));
}

TEST(Chain, AFallbackOnAPartCannotStandForTheWhole) {
  const Fabric fabric = clos();
  Chain chain(fabric);
  chain.step(1, kFails);
  chain.fallback(2, 1, "minhop", 1);
  chain.topology(1, pod(fabric));
  const auto run = chain.run();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().steps[1].failure->rule, "topology-not-whole");
  EXPECT_EQ(run.error().steps[1].failure->message,
            "step 2 works on topology 1 and cannot route the whole fabric");
}

TEST(Chain, AnEmptyTopologyIsAFailure) {
  const Fabric fabric = clos();
  Chain chain(fabric);
  chain.step(1, "minhop");
  chain.step(2, "minhop", 1);
  chain.step(3, "minhop", 2);
  chain.topology(1, IdSet<PortId>(fabric.ports().size()));
  chain.topology(2, test::ports_of(fabric, {4, 5}));
  const ChainRun run = chain.good_run();
  EXPECT_EQ(outline(run.steps), "1 routed, 2 failed, 3 failed");
  EXPECT_EQ(run.steps[1].failure->message, "topology 1 has no switch on this fabric");
  // Two spines without a link between them: both are left out.
  EXPECT_EQ(run.steps[2].failure->message,
            "topology 2 has 2 switches on this fabric, none with a link to another one");
  EXPECT_EQ(run.steps[2].remarks.size(), 2U);
}

TEST(Chain, IsolatedSwitchesAreLeftOutWithARemark) {
  const Fabric fabric = clos();
  Chain chain(fabric);
  chain.step(1, "minhop");
  chain.step(2, "minhop", 1);
  IdSet<PortId> ports = test::ports_of(fabric, {0, 1, 2, 5});
  for (const PortNum p : {PortNum(5), PortNum(6)}) ports.erase(fabric.port_id(SwitchId(2), p));
  chain.topology(1, ports);
  const ChainRun run = chain.good_run();
  EXPECT_THAT(
      run.steps[1].remarks,
      ElementsAre("`switch 2` (0x0000000000100010) has no link to another switch of topology 1: left out"));
  EXPECT_FALSE(run.tables.steps[1].switches.contains(SwitchId(2)));
}

TEST(Chain, AnUnknownEngineIsAFailure) {
  const Fabric fabric = clos();
  Chain chain(fabric);
  chain.step(1, "mimhop");
  const auto run = chain.run();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().steps[0].failure->message, "no engine is named `mimhop`");
}

TEST(Chain, WithoutStepsNothingIsRouted) {
  const Fabric fabric = clos();
  EXPECT_FALSE(Chain(fabric).run());
}

}  // namespace
}  // namespace rch::chains
