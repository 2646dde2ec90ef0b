// Tables of another subnet manager that are sound with the service levels of their engine alone.

#include "chains/adoption.h"

#include <gtest/gtest.h>

#include "chain_fixture.h"
#include "fabric/fabric_builder.h"
#include "fabric/faults.h"
#include "fabric/generator.h"
#include "fabric/lids.h"

namespace rch::chains {
namespace {

using fabric::Fabric;

constexpr const char* kConf = "routing_engine dfsssp\nqos TRUE\nmax_op_vls 4\n";

class AdoptionBySlsTest : public testing::Test {
 protected:
  static Fabric ring() {
    fabric::Grid grid;
    grid.dimensions.push_back({5, true});
    const auto made = fabric::generate({.shape = grid});
    return *fabric::with_lids(made->fabric, fabric::plan_lids(made->fabric, {})->lids);
  }
  /// As switches show them: nothing tells who wrote them, or the service levels of hosts.
  FoundTables found() const {
    fabric::RoutingTables tables;
    tables.lfts = plan_->tables->lfts.clone();
    fabric::RoutedStep step;
    step.switches = IdSet<SwitchId>(fabric_.switch_count(), true);
    step.lids = IdSet<Lid>(fabric_.max_lid().index() + 1, true);
    tables.steps.push_back(std::move(step));
    return {.tables = std::move(tables), .maps_alike = true, .maps = plan_->tables->sl2vl};
  }
  std::string objection_to(FoundTables tables, const char* conf) const {
    const auto judged = judge_found(*test::policy_of(conf), fabric_, std::move(tables), {});
    return judged ? judged->objection : judged.error().message;
  }

  const Fabric fabric_ = ring();
  const Result<Plan> plan_ = test::plan_on(fabric_, kConf);
};

// The same entries may have the service levels of another configuration.
TEST_F(AdoptionBySlsTest, TheConfigurationTellsTheServiceLevelsOfItsOwnEntries) {
  ASSERT_TRUE(plan_ && plan_->verdict.clean());
  const auto judged = judge_found(*test::policy_of(kConf), fabric_, found(), {});
  ASSERT_TRUE(judged);
  EXPECT_TRUE(judged->by_configuration);
  EXPECT_TRUE(judged->objection.ends_with(
      "; with the service levels of this configuration, whose entries they are, they are proven"))
      << judged->objection;
}

TEST_F(AdoptionBySlsTest, WithoutTheseTheyCloseACreditLoop) {
  ASSERT_TRUE(plan_);
  const auto judged = judge_found(*test::policy_of("routing_engine updn\n"), fabric_, found(), {});
  ASSERT_TRUE(judged);
  EXPECT_FALSE(judged->by_configuration);
  EXPECT_EQ(judged->objection.find("credit loop of 5 channels"), 0U) << judged->objection;
}

TEST_F(AdoptionBySlsTest, OtherEntriesDoNotTellThem) {
  ASSERT_TRUE(plan_);
  FoundTables other = found();
  other.maps_alike = false;
  const auto row = other.tables.lfts.row(SwitchId(0));
  const Lid lid = fabric_.end_ports()[2].lid;
  row[lid.index()] = row[lid.index()] == 1 ? 2 : 1;  // the other way around the ring
  EXPECT_EQ(
      objection_to(std::move(other), kConf),
      "ports map service levels to VLs in different ways, and which ones hosts use is not known (those of "
      "this configuration say nothing: 1 entry is found otherwise)");
}

TEST_F(AdoptionBySlsTest, AHoleIsOneWhateverTheServiceLevels) {
  ASSERT_TRUE(plan_);
  FoundTables torn = found();
  torn.tables.lfts.row(SwitchId(0))[fabric_.end_ports()[2].lid.index()] = kNoPath;
  const std::string objection = objection_to(std::move(torn), kConf);
  EXPECT_EQ(objection.find("credit loop"), std::string::npos) << objection;
  EXPECT_NE(objection, "");
}

// A manager of equal rank was master for a while, and left tables that this one does not know.
TEST(AdoptionOfRoots, FoundRootsOutliveTheTablesOfAnotherManager) {
  constexpr const char* kChain = "routing_engine updn\n";
  const auto tree = fabric::generate({.shape = fabric::FatTree{4}, .hosts = 2, .shuffle = 5});
  const auto whole = test::plan_on(tree->fabric, kChain);
  ASSERT_TRUE(whole) << whole.error().message;
  std::size_t hidden = 0;
  for (std::uint64_t seed = 1; seed < 30 && hidden == 0; ++seed) {
    const Fabric cut = fabric::remove_parts(tree->fabric, {.random_links = 3, .seed = seed})->fabric;
    const auto direct = test::plan_on(cut, kChain, {.installed = &*whole, .settings = {}});
    if (test::plan_on(cut, kChain) || !direct || !direct->verdict.clean()) continue;
    ++hidden;
    fabric::RoutingTables tables;
    tables.lfts = direct->tables->lfts.clone();
    tables.steps.push_back(direct->tables->steps.front());
    auto found = judge_found(*test::policy_of(kChain), *direct->fabric, {.tables = std::move(tables)}, {});
    ASSERT_TRUE(found && found->objection.empty()) << found->objection;
    EXPECT_FALSE(test::plan_on(*direct->fabric, kChain, {.installed = &found->plan, .settings = {}}));
    keep_found_roots(found->plan, *whole);
    const auto next = test::plan_on(*direct->fabric, kChain, {.installed = &found->plan, .settings = {}});
    ASSERT_TRUE(next) << next.error().message;
    EXPECT_TRUE(next->verdict.clean());
  }
  EXPECT_EQ(hidden, 1U);
}

}  // namespace
}  // namespace rch::chains
