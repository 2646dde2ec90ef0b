// Fabrics that do not match the configured torus: hosts are never cut off silently (docs/torus.md and
// torus-2QoS(8)).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/torus_2qos/torus_2qos.h"
#include "fabric/sub_fabric.h"
#include "torus_walk.h"

namespace rch::engines::torus_2qos {
namespace {

using test::Grid;

/// One seed at (0,0,0) with links in + direction only.
Options options_as(const Grid& grid, const std::string& radices) {
  auto options = grid.options({{0, 0, 0}});
  options.seeds[0].minus = {};
  const auto spec = test::grid_spec(radices);
  options.radix = spec.radix;
  options.wraps = spec.wraps;
  return options;
}

TEST(TorusRefusals, QosOff) {
  const Grid grid(test::grid_spec("3 3 1"));
  auto options = grid.options();
  options.qos = false;
  const auto tables = test::route_grid(grid, options);
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().rule, "qos-off");
  EXPECT_EQ(tables.error().message, "torus-2QoS needs SL2VL maps in every port, and `qos` is off");
}

TEST(TorusRefusals, ConfiguredTooSmall) {
  const Grid grid(test::grid_spec("6 3 1"));
  const auto tables = test::route_grid(grid, options_as(grid, "5 3 1"));
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().rule, "switch-unplaced");
  EXPECT_EQ(
      tables.error().message,
      "6 of 18 switches, with 6 end ports, cannot be placed in the torus 5x3x1 of 15 positions, which is "
      "smaller "
      "than the fabric: `sw_3_0_0` (0x0000000000100048), linked to (2,0,0); `sw_3_1_0` (0x0000000000100050), "
      "linked "
      "to (2,1,0); `sw_3_2_0` (0x0000000000100058), linked to (2,2,0); `sw_4_0_0` (0x0000000000100060), "
      "linked "
      "to "
      "(4,0,0); `sw_4_1_0` (0x0000000000100068), linked to (4,1,0); `sw_4_2_0` (0x0000000000100070), linked "
      "to "
      "(4,2,0)");
  EXPECT_EQ(tables.error().guids.size(), 6);
}

TEST(TorusRefusals, ConfiguredTooLarge) {
  const Grid grid(test::grid_spec("6 3 1"));
  const auto tables = test::route_grid(grid, options_as(grid, "7 3 1"));
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().rule, "radix-mismatch");
  EXPECT_EQ(tables.error().message,
            "links skip coordinates that no switch has, so the fabric is smaller than the torus 7x3x1: "
            "(3,0,0) "
            "to (5,0,0) in x, (3,1,0) to (5,1,0) in x, (3,2,0) to (5,2,0) in x");
  EXPECT_EQ(tables.error().guids.size(), 6);
}

TEST(TorusRefusals, ConfiguredFarTooLarge) {
  const Grid grid(test::grid_spec("3 1 1"));
  const auto tables = test::route_grid(grid, options_as(grid, "9m 1 1"));
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().rule, "radix-mismatch");
  EXPECT_EQ(tables.error().message, "the torus 9mx1x1 has 9 positions, the fabric only 3 switches");
}

TEST(TorusRefusals, DimensionsSwapped) {
  const Grid grid(test::grid_spec("6 5 1"));
  const auto tables = test::route_grid(grid, options_as(grid, "5 6 1"));
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().rule, "switch-unplaced");
}

TEST(TorusRefusals, SwitchesThatBelongToNoTorus) {
  auto spec = test::grid_spec("5 5 1");
  spec.cut = {{{2, 2, 0}, {3, 2, 0}}, {{1, 2, 0}, {2, 2, 0}}, {{2, 2, 0}, {2, 3, 0}}, {{2, 1, 0}, {2, 2, 0}}};
  const Grid grid(spec);
  const auto tables = test::route_grid(grid, grid.options());
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().rule, "switch-unplaced");
  EXPECT_EQ(tables.error().message,
            "1 of 25 switches, with 1 end port, cannot be placed in the torus 5x5x1 of 25 positions: "
            "`sw_2_2_0` (0x0000000000100060), not linked to any placed switch");
  EXPECT_EQ(tables.error().guids, (std::vector<Guid>{Guid(0x100060)}));
}

TEST(TorusRefusals, OneStrayCableIsRemarkedAndUnused) {
  auto spec = test::grid_spec("6 5 1");
  const Grid pristine(spec);
  spec.extra = {{{1, 1, 0}, {4, 3, 0}}};
  const Grid grid(spec);
  const auto tables = test::route_grid(grid, grid.options({{0, 0, 0}}));
  ASSERT_TRUE(tables) << tables.error().message;
  EXPECT_EQ(tables->remarks[2],
            "links between switches that are not adjacent in the torus stay unused: `sw_1_1_0` "
            "(0x0000000000100030) "
            "at (1,1,0) to `sw_4_3_0` (0x00000000001000b8) at (4,3,0)");
  EXPECT_EQ(test::unreachable_pair(grid.fabric(), *tables), "");
  EXPECT_EQ(test::credit_loop(grid.fabric(), *tables), "");
}

TEST(TorusRefusals, WrapCablesOfAMeshAreRemarkedAndUnused) {
  const Grid grid(test::grid_spec("5 3m 1"));
  const auto tables = test::route_grid(grid, options_as(grid, "5m 3m 1"));
  ASSERT_TRUE(tables) << tables.error().message;
  EXPECT_TRUE(tables->remarks[2].starts_with(
      "links between switches that are not adjacent in the torus stay unused: "));
  EXPECT_EQ(test::path_text(grid, *tables, {0, 0, 0}, {4, 0, 0}), "000 100 200 300 400; sl 0; vl 0 0 0 0");
}

struct FewVls {
  std::uint8_t code;
  bool pristine;
  bool damaged;
};

// A missing switch needs VL bit 1.
TEST(TorusRefusals, TooFewVls) {
  auto spec = test::grid_spec("6 5 1");
  const Grid pristine(spec);
  spec.missing = {{3, 1, 0}};
  const Grid damaged(spec);
  for (const FewVls& few : {FewVls{1, false, false}, FewVls{2, true, false}, FewVls{3, true, true},
                            FewVls{4, true, true}, FewVls{5, true, true}}) {
    auto options = pristine.options({{0, 0, 0}});
    options.max_op_vls = few.code;
    const auto whole = test::route_grid(pristine, options);
    const auto broken = test::route_grid(damaged, options);
    EXPECT_EQ(whole.has_value(), few.pristine) << int{few.code};
    EXPECT_EQ(broken.has_value(), few.damaged) << int{few.code};
    if (!broken) {
      EXPECT_EQ(broken.error().rule, "too-few-vls");
    }
    if (whole) {
      EXPECT_EQ(test::credit_loop(pristine.fabric(), *whole), "") << int{few.code};
    }
    if (broken) {
      EXPECT_EQ(test::credit_loop(damaged.fabric(), *broken), "") << int{few.code};
    }
  }
}

/// Without a dateline no ring needs a second VL.
TEST(TorusRefusals, AMeshNeedsOneVl) {
  for (const char* radices : {"6m 5m 1", "3m 4m 3m", "2 5m 1"}) {
    auto spec = test::grid_spec(radices);
    spec.vl_cap = 1;
    const Grid grid(spec);
    const auto tables = test::route_grid(grid, grid.options({{0, 0, 0}}));
    ASSERT_TRUE(tables) << radices << ": " << tables.error().message;
    EXPECT_EQ(test::credit_loop(grid.fabric(), *tables), "") << radices;
    for (const fabric::Sl2VlMap& map : tables->sl2vl.maps()) EXPECT_EQ(map, fabric::Sl2VlMap{});
    EXPECT_THAT(tables->remarks,
                testing::Contains(testing::StartsWith("links between switches have 1 data VL:")));
  }
  auto spec = test::grid_spec("6m 5 1");
  spec.vl_cap = 1;
  const Grid one_ring(spec);
  const auto refused = test::route_grid(one_ring, one_ring.options({{0, 0, 0}}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().rule, "too-few-vls");
}

TEST(TorusRefusals, TooFewVlsNamesThePort) {
  auto spec = test::grid_spec("3 3 1");
  spec.vl_cap = 1;
  const Grid grid(spec);
  const auto tables = test::route_grid(grid, grid.options());
  ASSERT_FALSE(tables);
  EXPECT_EQ(
      tables.error().message,
      "port 2 of `sw_0_0_0` (0x0000000000100000) can use 1 data VL and `max_op_vls` is 5; links between "
      "switches "
      "need 2");
}

}  // namespace
}  // namespace rch::engines::torus_2qos
