// Cases over threads and shards, and what they come to together.

#include "whatif/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>

#include "../chains/chain_fixture.h"
#include "support/small_fabrics.h"
#include "whatif/summary.h"

namespace rch::whatif {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Base base_on(const fabric::Fabric& fabric, const std::string& conf) {
  const auto policy = test::policy_of(conf);
  Diagnostics diagnostics;
  return {policy, *chains::plan(policy, fabric, {}, diagnostics), {}};
}

std::vector<Failure> all_failures(const Base& base) {
  return *failures(*base.plan.fabric,
                   {.links = Draw{}, .switches = Draw{}, .pairs = Draw{5}, .hosts = Draw{}});
}

TEST(AStudy, IsTheSameForAnyNumberOfThreadsAndShards) {
  const Base base = base_on(test::build(test::clos(4, 3, 2)), "routing_engine updn\n");
  const Judge judge(base);
  const std::vector<Failure> cases = all_failures(base);
  const std::vector<Outcome> whole = study(judge, cases, {});
  ASSERT_THAT(whole, SizeIs(cases.size()));
  {
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    EXPECT_EQ(study(judge, cases, {}), whole);
  }
  std::vector<Outcome> parts;
  for (std::uint64_t i = 0; i < 4; ++i)
    std::ranges::move(study(judge, cases, {i, 4}), std::back_inserter(parts));
  std::ranges::sort(parts, {}, &Outcome::number);
  EXPECT_EQ(parts, whole);
}

TEST(AStudy, TellsItsProgress) {
  const Base base = base_on(test::build(test::clos(2, 2, 1)), "routing_engine minhop\n");
  const Judge judge(base);
  std::vector<std::uint64_t> told;
  study(judge, all_failures(base), {0, 2}, [&](std::uint64_t done) { told.push_back(done); });
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_EQ(told.size(), told.back());
}

// Of two leaves and two spines no cable and no spine is missed. A leaf takes its own hosts along.
TEST(AStudy, OfARedundantFabricBreaksNothing) {
  const Base base = base_on(test::build(test::clos(2, 2, 2)), "routing_engine minhop\n");
  const std::vector<Failure> cases = *failures(*base.plan.fabric, {.links = Draw{}, .switches = Draw{}});
  const std::vector<Outcome> outcomes = study(Judge(base), cases, {});
  const Summary summary = summarize(outcomes);
  EXPECT_THAT(summary.breaking, IsEmpty());
  EXPECT_THAT(summary.single, IsEmpty());
  EXPECT_EQ(summary.cutting_off, 2U);
}

TEST(AStudy, FindsSinglePointsOfFailure) {
  const Base base =
      base_on(test::build({.hosts = {1, 1, 1}, .cables = {{0, 1}, {1, 2}}}), "routing_engine minhop\n");
  const std::vector<Failure> cases = *failures(*base.plan.fabric, {.links = Draw{}, .switches = Draw{}});
  const std::vector<Outcome> outcomes = study(Judge(base), cases, {});
  const Summary summary = summarize(outcomes);
  ASSERT_THAT(summary.single, SizeIs(3));
  EXPECT_EQ(summary.single[0]->failure, "cable `switch 0`[2] - `switch 1`[2]");
  EXPECT_EQ(what_breaks(*summary.single[0]), "1 host cut off that hangs on no failed part");
  EXPECT_EQ(summary.single[2]->failure, "switch `switch 1` (0x0000000000100008)");
}

// A ring without one cable is a row, which minhop routes without a credit loop; the whole one needs dfsssp.
TEST(AStudy, SaysWhichStepRoutes) {
  const fabric::Fabric ring =
      test::build({.hosts = {1, 1, 1, 1, 1}, .cables = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}});
  const Base base = base_on(ring, "routing_engine minhop,dfsssp\n");
  const Judge judge(base);
  EXPECT_EQ(judge.steps(), "2 dfsssp");
  const Outcome outcome = judge.judge(7, (*failures(ring, {.links = Draw{}}))[0]);
  EXPECT_EQ(outcome.number, 7U);
  EXPECT_EQ(outcome.routing, Routing::otherwise);
  EXPECT_EQ(outcome.steps, "1 minhop");
}

TEST(AStudy, WithoutASwitchThereIsNoPlan) {
  const Base base = base_on(test::build({.hosts = {2}, .cables = {}}), "routing_engine minhop\n");
  const Outcome outcome = Judge(base).judge(0, {{}, {NodeId(0)}});
  EXPECT_EQ(outcome.routing, Routing::none);
  EXPECT_EQ(what_breaks(outcome), "no plan: no switch is left");
}

Outcome with_entries(std::uint64_t number, std::uint64_t entries) {
  Outcome outcome{.number = number};
  outcome.entries = entries;
  return outcome;
}

TEST(ASummary, CountsByPowersOfTwo) {
  const std::vector<Outcome> outcomes{with_entries(0, 0), with_entries(1, 1), with_entries(2, 2),
                                      with_entries(3, 3), with_entries(4, 200)};
  const Summary summary = summarize(outcomes);
  const auto entries = std::ranges::find(summary.spreads, "entries", &Spread::name);
  ASSERT_NE(entries, summary.spreads.end());
  EXPECT_THAT(entries->bins, ElementsAre(Bin{0, 0, 1}, Bin{1, 1, 1}, Bin{2, 3, 2}, Bin{128, 255, 1}));
  ASSERT_THAT(summary.worst, SizeIs(4));
  EXPECT_EQ(summary.worst.front()->number, 4U);
}

}  // namespace
}  // namespace rch::whatif
