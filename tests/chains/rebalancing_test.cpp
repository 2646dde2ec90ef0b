// Off-sweep balancing: when fresh routes replace those that were kept, and who is told.

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "chain_fixture.h"
#include "chains/balance.h"
#include "chains/plan.h"
#include "engines/registry.h"
#include "fabric/faults.h"
#include "fabric/generator.h"
#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

/// An unchanged fabric that is planned again, after changes that let loads drift.
struct Drift {
  std::optional<Plan> kept, again;
  std::optional<BalanceCompared> compared;
};

/// Plans each fabric with the plan of the one before, then the last one again by `request`. Nothing if the
/// engine does not route them.
Drift drift_over(const std::vector<fabric::Fabric>& fabrics, std::string_view engine, bool balancing,
                 const PlanRequest& request) {
  const std::string conf = fmt::format("routing_engine {}\nqos TRUE\noffsweep_balancing_enabled {}\n", engine,
                                       balancing ? "TRUE" : "FALSE");
  Drift drift;
  for (const fabric::Fabric& fabric : fabrics) {
    auto made =
        test::plan_on(fabric, conf, {.installed = drift.kept ? &*drift.kept : nullptr, .settings = {}});
    if (!made) return {};
    drift.kept = std::move(*made);
  }
  PlanRequest last = request;
  last.installed = &*drift.kept;
  auto again = test::plan_on(fabrics.back(), conf, last, [&](const Event& event) {
    if (const auto* compared = std::get_if<BalanceCompared>(&event)) drift.compared = *compared;
  });
  if (again) drift.again = std::move(*again);
  return drift;
}

bool moved(const Drift& drift) { return !(drift.again->tables->lfts == drift.kept->tables->lfts); }
Balance balance_of(const std::optional<Plan>& plan) { return balance(*plan->fabric, *plan->tables); }

/// A spine goes away and comes back.
std::vector<fabric::Fabric> lost_spine() {
  const fabric::Fabric whole = test::build(test::clos(4, 3, 4));
  return {whole, fabric::remove_parts(whole, {.switches = {"switch 5"}})->fabric, whole};
}

/// A torus loses one cable after the other.
std::vector<fabric::Fabric> lost_cables() {
  fabric::GeneratorOptions shape;
  shape.shape = fabric::Grid{{{5}, {5}, {3}}};
  std::vector<fabric::Fabric> fabrics{fabric::generate(shape)->fabric};
  for (const std::uint32_t lost : {5U, 10U, 15U})
    fabrics.push_back(fabric::remove_parts(fabrics.front(), {.random_links = lost, .seed = 7})->fabric);
  return fabrics;
}

/// One of two parallel cables of a mesh goes away and comes back.
std::vector<fabric::Fabric> lost_twin() {
  fabric::GeneratorOptions shape;
  shape.shape = fabric::Grid{{{3, false}, {3, false}}};
  shape.hosts = 4;
  shape.parallel = 2;
  const fabric::Fabric whole = fabric::generate(shape)->fabric;
  return {whole, fabric::remove_parts(whole, {.random_links = 1, .seed = 1})->fabric, whole};
}

TEST(Rebalancing, MovesRoutesOfTheEnginesThatClaimIt) {
  constexpr std::string_view kNeedFiles[] = {"file", "torus-2QoS", "ar_torus"};
  for (const engines::Descriptor* engine : engines::all_engines()) {
    const bool claims = engine->reads_option("offsweep_balancing_enabled");
    bool moves = false;
    const bool planned = std::ranges::find(kNeedFiles, engine->name) == std::end(kNeedFiles);
    for (const auto& fabrics : {lost_spine(), lost_twin()}) {
      const Drift on = planned ? drift_over(fabrics, engine->name, true, {}) : Drift{};
      if (!on.again) continue;
      EXPECT_EQ(moved(on), on.compared->decision == Rebalancing::recompute) << engine->name;
      EXPECT_EQ(moved(on), is_clearly_better(balance_of(on.again), balance_of(on.kept))) << engine->name;
      moves = moves || moved(on);
      const Drift off = drift_over(fabrics, engine->name, false, {});
      EXPECT_FALSE(moved(off)) << engine->name;
      EXPECT_FALSE(off.compared) << engine->name;
    }
    EXPECT_EQ(moves, claims) << engine->name;
  }
}

TEST(Rebalancing, TellsOfDriftWithoutMovingRoutes) {
  const Drift told = drift_over(lost_spine(), "dfsssp", false, {.settings = {}, .reports_drift = true});
  ASSERT_TRUE(told.again && told.compared);
  EXPECT_EQ(told.compared->decision, Rebalancing::not_asked);
  EXPECT_LT(told.compared->fresh.most, told.compared->kept.most);
  EXPECT_FALSE(moved(told));
}

// Fresh routes divide pairs among other virtual layers, and hosts keep the SLs that they have.
TEST(Rebalancing, KeepsSlsUnlessTheyMayChange) {
  const Drift same = drift_over(lost_cables(), "dfsssp", true, {});
  ASSERT_TRUE(same.again && same.compared);
  EXPECT_EQ(same.compared->decision, Rebalancing::other_sls);
  EXPECT_FALSE(moved(same));
  const Drift fresh = drift_over(lost_cables(), "dfsssp", true, {.settings = {}, .may_change_sls = true});
  ASSERT_TRUE(fresh.again && fresh.compared);
  EXPECT_EQ(fresh.compared->decision, Rebalancing::recompute);
  EXPECT_LE(balance_of(fresh.kept).most * 2, balance_of(fresh.again).most * 3)
      << "kept SLs leave even paths, too";
  EXPECT_TRUE(is_clearly_better(balance_of(fresh.again), balance_of(fresh.kept)));
  EXPECT_TRUE(fresh.again->verdict.clean());
}

}  // namespace
}  // namespace rch::chains
