// Packets of hosts to LIDs of switches, beside paths and multicast groups.

#include <initializer_list>

#include <gtest/gtest.h>

#include "chain_fixture.h"
#include "chains/plan.h"
#include "fabric/faults.h"
#include "fabric/generator.h"

namespace rch::chains {
namespace {

using test::plan_on;

fabric::Fabric damaged_tree(std::uint64_t seed, std::uint32_t cables) {
  const auto tree = fabric::generate({.shape = fabric::FatTree{4}, .hosts = 2, .shuffle = 5});
  auto lost = fabric::remove_parts(tree->fabric, {.random_links = cables, .seed = seed});
  return std::move(lost->fabric);
}

// A soak found it: paths and packets to LIDs of switches were sound, paths and the tree of the groups too,
// all three together were not, and no other tree was made for them.
TEST(SwitchLids, HaveNoCreditLoopTogetherWithTheTreeOfTheGroups) {
  constexpr const char* kChain = "routing_engine minhop,dfsssp\n";
  for (std::uint32_t seed = 105; seed < 120; ++seed) {
    const std::uint32_t cables = seed % 5;
    const auto before = plan_on(damaged_tree(seed, cables), kChain);
    ASSERT_TRUE(before) << before.error().message;
    const auto after =
        plan_on(damaged_tree(seed, cables + 1 + seed % 3), kChain, {.installed = &*before, .settings = {}});
    ASSERT_TRUE(after) << after.error().message;
    EXPECT_TRUE(after->verdict.clean()) << seed;
    EXPECT_EQ(after->verdict.switch_lids.credit_loop, "") << seed;
  }
}

// Kept minhop routes close a credit loop that fresh ones do not.
TEST(KeptRoutes, AreGivenUpWhereOnlyAFreshPlanMayBeCommitted) {
  constexpr const char* kChain = "routing_engine minhop\n";
  const auto before = plan_on(damaged_tree(32, 0), kChain);
  ASSERT_TRUE(before) << before.error().message;
  PlanRequest request{.installed = &*before, .settings = {}};
  std::vector<std::string> told;
  const auto observe = [&](const Event& event) {
    if (const auto* afresh = std::get_if<RoutedAfresh>(&event)) told.push_back(afresh->reason);
  };
  const auto refused = plan_on(damaged_tree(32, 3), kChain, request, observe);
  ASSERT_TRUE(refused) << refused.error().message;
  EXPECT_FALSE(refused->verdict.clean());
  EXPECT_TRUE(told.empty()) << "the fresh one has a loop of packets to LIDs of switches";
  request.settings.accept = {"switch-lids"};
  const auto fresh = plan_on(damaged_tree(32, 3), kChain, request, observe);
  ASSERT_TRUE(fresh) << fresh.error().message;
  EXPECT_TRUE(fresh->verdict.clean());
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told.front().substr(0, 24), "not proven: credit loop ");
}

// What the roots that updn found allow must not depend on the routes since: by routes that were repaired
// again and again it had no plan, and by fresh ones it found no roots.
TEST(KeptRoutes, AreGivenUpWithoutTheRootsThatWereFound) {
  constexpr const char* kChain = "routing_engine updn\n";
  for (const std::uint32_t seed : std::initializer_list<std::uint32_t>{3, 6}) {
    const auto whole = plan_on(damaged_tree(seed, 0), kChain);
    ASSERT_TRUE(whole) << whole.error().message;
    Plan installed = *whole;
    for (const std::uint32_t cables : std::initializer_list<std::uint32_t>{1, 2, 3, 2, 4, 3}) {
      const fabric::Fabric cut = damaged_tree(seed, cables);
      PlanRequest repair{.installed = &installed, .settings = {}, .repairs = true, .regroups = true};
      if (auto repaired = plan_on(cut, kChain, repair)) installed = std::move(*repaired);
      const auto direct = plan_on(cut, kChain, {.installed = &*whole, .settings = {}});
      auto next = plan_on(cut, kChain, {.installed = &installed, .settings = {}});
      ASSERT_TRUE(direct && next) << seed << " without " << cables;
      if (!direct->verdict.clean()) continue;
      EXPECT_TRUE(next->verdict.clean()) << seed << " without " << cables;
      installed = std::move(*next);
    }
  }
}

}  // namespace
}  // namespace rch::chains
