// What a manager makes of tables that it did not install.

#include "fabric/lids.h"
#include "sm/stations.h"

namespace rch::sm {
namespace {

using test::Station;

using AdoptionTest = test::StationsTest;

TEST_F(AdoptionTest, AdoptsWhatAnotherManagerInstalledIfItIsProven) {
  ASSERT_TRUE(bring_up(add(0, 0, true)));
  stations.clear();
  const auto tables = fake.lft_blocks;
  Station& adopter = add(1, 0, false, true);
  ASSERT_TRUE(bring_up(adopter));
  EXPECT_EQ(adopter.told, (std::vector<std::string>{"start", "found, proven, adopted", "subnet up"}));
  EXPECT_EQ(fake.lft_blocks, tables);
  EXPECT_EQ(plans, 1U) << "of the first manager";
  fake.pull(cable());
  ASSERT_TRUE(run([&] { return adopter.manager.status().generation == 2; })) << told();
  EXPECT_EQ(unreachable_pairs(), 0U);
}

TEST_F(AdoptionTest, ReportsWhatItReplaces) {
  ASSERT_TRUE(bring_up(add(0, 0, true)));
  stations.clear();
  const auto tables = fake.lft_blocks;
  Station& other = add(1, 0, false, false);
  ASSERT_TRUE(bring_up(other));
  EXPECT_EQ(other.told, (std::vector<std::string>{"start", "found, proven", "subnet up"}));
  EXPECT_NE(fake.lft_blocks, tables);
}

TEST_F(AdoptionTest, AdoptsNothingUnsound) {
  ASSERT_TRUE(bring_up(add(0)));
  stations.clear();
  fake.lft_blocks[{SwitchId(0), 0}].fill(kNoPath);
  ASSERT_GT(unreachable_pairs(), 0U);
  Station& adopter = add(1, 0, false, true);
  ASSERT_TRUE(bring_up(adopter));
  EXPECT_EQ(adopter.told, (std::vector<std::string>{"start", "found", "subnet up"}));
  EXPECT_EQ(unreachable_pairs(), 0U);
}

/// A plan that was kept before another manager ran.
chains::Plan plan_before(const std::vector<std::unique_ptr<Station>>& stations) {
  return *stations.front()->manager.installed();
}

TEST_F(AdoptionTest, AKeptPlanIsOutdatedWhenAnotherManagerRanSince) {
  ASSERT_TRUE(bring_up(add(0)));
  const chains::Plan kept = plan_before(stations);
  stations.clear();
  ASSERT_TRUE(bring_up(add(1, 0, true)));
  stations.clear();
  const auto tables = fake.lft_blocks;
  Station& adopter = add(0, 0, false, true);
  adopter.manager.start_from(kept);
  ASSERT_TRUE(bring_up(adopter));
  EXPECT_EQ(adopter.told, (std::vector<std::string>{"start", "found, proven, adopted", "subnet up"}));
  EXPECT_EQ(fake.lft_blocks, tables);
}

TEST_F(AdoptionTest, WithoutAdoptionRoutesOfAKeptPlanComeBack) {
  ASSERT_TRUE(bring_up(add(0)));
  const chains::Plan kept = plan_before(stations);
  stations.clear();
  ASSERT_TRUE(bring_up(add(1, 0, true)));
  stations.clear();
  Station& next = add(0, 0, false, false);
  next.manager.start_from(kept);
  ASSERT_TRUE(bring_up(next));
  EXPECT_EQ(next.told, (std::vector<std::string>{"start", "found, proven", "subnet up"}));
  EXPECT_EQ(keeps, kept.tables);
}

TEST_F(AdoptionTest, AKeptPlanCountsWhenNobodyElseRanSince) {
  ASSERT_TRUE(bring_up(add(0)));
  const chains::Plan kept = plan_before(stations);
  stations.clear();
  fake.sets.clear();
  Station& next = add(0, 0, false, true);
  next.manager.start_from(kept);
  ASSERT_TRUE(bring_up(next));
  EXPECT_EQ(next.told, (std::vector<std::string>{"start", "subnet up"}));
  EXPECT_EQ(keeps, kept.tables);
}

}  // namespace
}  // namespace rch::sm
