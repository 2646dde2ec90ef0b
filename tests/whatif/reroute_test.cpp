// Cases against what `rch plan --previous` makes of the damaged fabric: the same tables, steps, verdict and
// update, over engines, fabrics and kinds of failure.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../chains/chain_fixture.h"
#include "chains/balance.h"
#include "chains/plan_file.h"
#include "chains/update.h"
#include "fabric/generator.h"
#include "fabric/table_changes.h"
#include "support/small_fabrics.h"
#include "whatif/damage.h"
#include "whatif/judge.h"

namespace rch::whatif {
namespace {

/// What the command would read from the file of the base plan.
chains::Plan from_file(const chains::Plan& plan) { return *chains::decode_plan(chains::encode_plan(plan)); }

struct Update {
  std::uint64_t rounds = 0, drained = 0;
  bool stops_traffic = false;
};

Update update_of(const chains::Plan& before, const chains::Plan& after) {
  Update update;
  chains::preview_update(before, after, [&](const chains::Event& event) {
    if (const auto* planned = std::get_if<chains::UpdatePlanned>(&event))
      update = {planned->plan.rounds.size(), planned->plan.drained.size(),
                planned->plan.only_static.has_value()};
  });
  return update;
}

void expect_same_groups(const std::vector<fabric::MulticastGroup>& a,
                        const std::vector<fabric::MulticastGroup>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t g = 0; g < a.size(); ++g) {
    EXPECT_EQ(a[g].mlid, b[g].mlid);
    EXPECT_EQ(a[g].ports, b[g].ports);
    EXPECT_EQ(a[g].members, b[g].members);
  }
}

std::vector<std::string> findings_of(const verify::Verdict& verdict) {
  std::vector<std::string> messages;
  for (const verify::Finding& finding : verdict.findings) messages.push_back(finding.message);
  return messages;
}

void expect_same_plan(const chains::Plan& a, const chains::Plan& b) {
  EXPECT_TRUE(a.tables->lfts == b.tables->lfts);
  EXPECT_EQ(test::outline(a.steps), test::outline(b.steps));
  EXPECT_EQ(findings_of(a.verdict), findings_of(b.verdict));
  EXPECT_EQ(a.verdict.pairs, b.verdict.pairs);
  EXPECT_EQ(a.verdict.switch_lids.lost_pairs, b.verdict.switch_lids.lost_pairs);
  EXPECT_EQ(a.verdict.switch_lids.sound(), b.verdict.switch_lids.sound());
  expect_same_groups(a.tables->groups, b.tables->groups);
  ASSERT_EQ(a.fabric->switch_count(), b.fabric->switch_count());
  ASSERT_EQ(a.tables->sl2vl.empty(), b.tables->sl2vl.empty());
  std::vector<std::uint8_t> sls_a, sls_b;
  for (std::uint32_t lid = 1; lid <= a.fabric->max_lid().value; ++lid) {
    fabric::path_sls_to(*a.fabric, *a.tables, Lid(static_cast<std::uint16_t>(lid)), sls_a);
    fabric::path_sls_to(*b.fabric, *b.tables, Lid(static_cast<std::uint16_t>(lid)), sls_b);
    ASSERT_EQ(sls_a, sls_b) << "LID " << lid;
  }
}

/// One case, judged and made as the command makes it.
void expect_as_the_command(const Base& base, const Judge& judge, const chains::Plan& read,
                           const Failure& failure) {
  SCOPED_TRACE(describe(*base.plan.fabric, failure));
  auto damage = damaged(*base.plan.fabric, failure);
  ASSERT_TRUE(damage);
  Diagnostics diagnostics;
  const auto expected =
      chains::plan(base.policy, fabric::Fabric(damage->fabric),
                   {.installed = &read, .settings = base.settings, .may_change_sls = true}, diagnostics);
  Outcome outcome;
  const auto made = judge.reroute(std::move(damage->fabric), outcome);
  ASSERT_EQ(made.has_value(), expected.has_value());
  if (!made) {
    EXPECT_EQ(outcome.routing, Routing::none);
    EXPECT_NE(outcome.reason, "");
    return;
  }
  expect_same_plan(*made, *expected);
  EXPECT_EQ(outcome.entries,
            fabric::table_changes(*read.fabric, read.tables->lfts, *expected->fabric, expected->tables->lfts)
                .entries);
  EXPECT_EQ(outcome.fullest, chains::balance(*expected->fabric, *expected->tables).most);
  if (!expected->verdict.clean()) return;
  const Update update = update_of(read, *expected);
  EXPECT_EQ(outcome.rounds, update.rounds);
  EXPECT_EQ(outcome.drained, update.drained);
  EXPECT_EQ(outcome.stops_traffic, update.stops_traffic);
}

std::vector<Failure> some_failures(const fabric::Fabric& fabric, std::uint64_t seed) {
  const auto all = [&](FailureRequest request) {
    request.seed = seed;
    auto found = failures(fabric, request);
    return found ? std::move(*found) : std::vector<Failure>{};
  };
  std::vector<Failure> some =
      all({.links = Draw{6}, .switches = Draw{2}, .pairs = Draw{4}, .hosts = Draw{1}});
  if (some.empty()) some = all({.links = Draw{}, .switches = Draw{}});
  return some;
}

struct Engines : testing::TestWithParam<const char*> {
  void expect_as_the_command_on(const fabric::Fabric& fabric, std::uint64_t seed) {
    SCOPED_TRACE(seed);
    const auto policy = test::policy_of(GetParam());
    Diagnostics diagnostics;
    const auto whole = damaged(fabric, {});
    ASSERT_TRUE(whole);
    auto plan = chains::plan(policy, fabric::Fabric(whole->fabric), {}, diagnostics);
    if (!plan || !plan->verdict.clean()) return;
    ++routed;
    const Base base{policy, std::move(*plan), {}};
    const Judge judge(base);
    const chains::Plan read = from_file(base.plan);
    for (const Failure& failure : some_failures(*base.plan.fabric, seed))
      expect_as_the_command(base, judge, read, failure);
  }
  int routed = 0;
};

fabric::Fabric tree(std::uint32_t k, std::uint64_t seed) {
  return fabric::generate({.shape = fabric::FatTree{k}, .shuffle = seed})->fabric;
}
fabric::Fabric grid(std::uint32_t x, std::uint32_t y, bool wraps) {
  return fabric::generate({.shape = fabric::Grid{{{x, wraps}, {y, wraps}}}, .hosts = 2, .shuffle = 1})
      ->fabric;
}

TEST_P(Engines, RouteTreesAsTheCommandDoes) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) expect_as_the_command_on(tree(4, seed), seed);
  expect_as_the_command_on(tree(6, 4), 4);
  EXPECT_GT(routed, 0);
}

TEST_P(Engines, RouteClosFabricsAsTheCommandDoes) {
  expect_as_the_command_on(test::build(test::clos(4, 3, 2)), 1);
  expect_as_the_command_on(test::build(test::clos(6, 2, 3, 2)), 2);
}

TEST_P(Engines, RouteGridsAsTheCommandDoes) {
  expect_as_the_command_on(grid(4, 3, false), 1);
  expect_as_the_command_on(grid(5, 4, true), 2);
}

TEST_P(Engines, RouteIrregularFabricsAsTheCommandDoes) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    expect_as_the_command_on(test::build(test::random_shape(seed, 12)), seed);
}

INSTANTIATE_TEST_SUITE_P(OfChains, Engines,
                         testing::Values("routing_engine minhop\n", "routing_engine updn\n",
                                         "routing_engine dnup\n", "routing_engine ftree\n",
                                         "routing_engine ftree,updn,minhop\n", "routing_engine dfsssp\n",
                                         "routing_engine minhop,dfsssp\n", "routing_engine dor\n"));

}  // namespace
}  // namespace rch::whatif
