// Routing again with installed tables: the same tables as from scratch, few rows made, and what has changed
// is said (docs/torus.md).

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "fabric/faults.h"
#include "fabric/sub_fabric.h"
#include "support/property.h"
#include "torus_grid.h"

namespace rch::engines::torus_2qos {
namespace {

using test::At;
using test::Grid;
using testing::Contains;

/// A fabric and its installed tables.
struct Before {
  Before(const fabric::Fabric& fabric, const Options& options)
      : view(fabric), tables(*route(view, options)) {}

  EngineResult reroute(const fabric::Fabric& fabric, Options options, bool same_rules = true) const {
    const fabric::SubFabric now(fabric);
    const common::ChangeSet changes(view, now);
    options.installed = common::InstalledTables{&changes, &tables.lfts, same_rules};
    return route(now, options);
  }
  /// Rows that other tables have not taken over.
  std::size_t rows_made(const StepTables& after) const {
    std::size_t made = 0;
    for (std::uint32_t s = 0; s < after.lfts.switch_count(); ++s)
      made += after.lfts.row(SwitchId(s)).data() != tables.lfts.row(SwitchId(s)).data();
    return made;
  }

  fabric::SubFabric view;
  const StepTables tables;
};

fabric::Fabric without(const fabric::Fabric& fabric, fabric::Faults faults) {
  auto damaged = fabric::remove_parts(fabric, faults);
  if (!damaged) throw std::runtime_error(damaged.error().message);
  return std::move(damaged->fabric);
}

TEST(TorusReroute, AfterAnythingTheTablesAreAsAnew) {
  int routed = 0;
  EXPECT_TRUE(test::check([&] {
    test::GridSpec spec =
        test::grid_spec(*rc::gen::element<std::string>("6 5 1", "4 4 3", "5m 3 2", "3 3 3"));
    spec.cables = *rc::gen::element(1U, 2U);
    spec.hosts = *rc::gen::inRange<std::uint32_t>(0, 3);
    spec.shuffle = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    const Grid grid(spec);
    const auto draw = [&] {
      return without(grid.fabric(), {.random_links = *rc::gen::inRange<std::uint32_t>(0, 3),
                                     .random_switches = *rc::gen::element(0U, 0U, 1U),
                                     .seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000)});
    };
    const fabric::Fabric then = draw(), now = draw();
    if (!route(fabric::SubFabric(then), grid.options())) return;
    const Before before(then, grid.options());
    const auto anew = route(fabric::SubFabric(now), grid.options());
    const auto again = before.reroute(now, grid.options());
    RC_ASSERT(anew.has_value() == again.has_value());
    if (!anew) return;
    ++routed;
    RC_ASSERT(anew->lfts == again->lfts);
  }));
  EXPECT_GT(routed, 20);
}

TEST(TorusReroute, AFailedLinkConcernsItsRingAlone) {
  auto spec = test::grid_spec("6 5 4");
  spec.hosts = 2;
  const Grid grid(spec);
  const auto options = grid.options({{0, 0, 0}});
  const fabric::Fabric cut = without(grid.fabric(), {.links = {"sw_2_3_1:sw_2_4_1"}});
  const Before before(grid.fabric(), options);
  const auto after = before.reroute(cut, options);
  ASSERT_TRUE(after);
  EXPECT_EQ(before.rows_made(*after), 4U);
  for (std::uint32_t s = 0; s < cut.switch_count(); ++s) {
    const At& at = grid.at(SwitchId(s));
    const bool same = after->lfts.row(SwitchId(s)).data() == before.tables.lfts.row(SwitchId(s)).data();
    // The switch opposite to the gap went around it both ways before.
    EXPECT_EQ(same, at[0] != 2 || at[2] != 1 || at[1] == 1) << test::digits_of(at);
  }
  // And back: the link is repaired.
  const Before damaged(cut, options);
  const auto repaired = damaged.reroute(grid.fabric(), options);
  ASSERT_TRUE(repaired);
  EXPECT_EQ(damaged.rows_made(*repaired), 4U);
  EXPECT_TRUE(repaired->lfts == before.tables.lfts);
}

TEST(TorusReroute, RowsOfOtherRulesAreMadeAnew) {
  const Grid grid(test::grid_spec("4 3 1"));
  const Before before(grid.fabric(), grid.options());
  EXPECT_EQ(before.rows_made(*before.reroute(grid.fabric(), grid.options(), true)), 0U);
  EXPECT_EQ(before.rows_made(*before.reroute(grid.fabric(), grid.options(), false)), 12U);
}

TEST(TorusReroute, ChangesAreRemarked) {
  auto spec = test::grid_spec("4 3 1");
  spec.cables = 2;
  const Grid grid(spec);
  const fabric::Fabric damaged =
      without(grid.fabric(), {.links = {"sw_0_0_0:sw_1_0_0"}, .switches = {"sw_2_1_0"}});
  const Before before(grid.fabric(), grid.options());
  const auto after = before.reroute(damaged, grid.options());
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_THAT(after->remarks,
              Contains("since the installed tables: `sw_2_1_0` (0x0000000000100038) at (2,1,0) is gone"));
  EXPECT_THAT(after->remarks,
              Contains("since the installed tables: `sw_0_0_0` (0x0000000000100000) at (0,0,0) to `sw_1_0_0` "
                       "(0x0000000000100018) at (1,0,0) had 2 cables and has 0"));
  const Before then(damaged, grid.options());
  auto options = grid.options();
  options.max_changes = 1;
  const auto back = then.reroute(grid.fabric(), options);
  ASSERT_TRUE(back);
  EXPECT_THAT(back->remarks,
              Contains("since the installed tables: `sw_2_1_0` (0x0000000000100038) at (2,1,0) is new"));
  EXPECT_THAT(back->remarks, Contains("since the installed tables: and 1 change more"));
}

}  // namespace
}  // namespace rch::engines::torus_2qos
