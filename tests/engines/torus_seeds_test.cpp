// Seeds, datelines and radices: what the coordinates hang on (torus-2QoS.conf(5)).

#include <gtest/gtest.h>

#include <functional>

#include "fabric/sub_fabric.h"
#include "torus_grid.h"

namespace rch::engines::torus_2qos {
namespace {

using test::Grid;

/// Same forwarding and same service levels.
void expect_equal_routing(const Grid& grid, const StepTables& a, const StepTables& b) {
  EXPECT_TRUE(a.lfts == b.lfts);
  for (std::uint32_t from = 0; from < grid.fabric().switch_count(); ++from)
    for (std::uint32_t to = 0; to < grid.fabric().switch_count(); ++to)
      ASSERT_EQ(a.sl.sl(SwitchId(from), SwitchId(to)), b.sl.sl(SwitchId(from), SwitchId(to)));
}

// Case 49: only the place of the origin counts, not which switch a seed starts from.
TEST(TorusSeeds, AnySeedWithMatchingDatelinesGivesTheSameTables) {
  const Grid grid(test::grid_spec("6 5 1"));
  const auto reference = test::route_grid(grid, grid.options({{0, 0, 0}}));
  ASSERT_TRUE(reference);
  for (std::size_t p = 0; p < grid.positions(); ++p) {
    const auto other = test::route_grid(grid, grid.options({grid.at(p)}));
    ASSERT_TRUE(other);
    expect_equal_routing(grid, *reference, *other);
  }
}

TEST(TorusSeeds, DatelineValuesMoveTheOrigin) {
  const Grid grid(test::grid_spec("6 5 1"));
  auto options = grid.options({{0, 0, 0}});
  options.seeds[0].dateline = {-2, -1, 0};  // physical (0,0) becomes (2,1)
  const auto tables = test::route_grid(grid, options);
  ASSERT_TRUE(tables);
  ASSERT_EQ(tables->sl.dimensions.size(), 2);
  EXPECT_EQ(tables->sl.dimensions[0].coordinate[grid.sw({0, 0, 0}).index()], 2);
  EXPECT_EQ(tables->sl.dimensions[1].coordinate[grid.sw({0, 0, 0}).index()], 1);
  options.seeds[0].dateline = {1, 0, 0};
  EXPECT_EQ(test::route_grid(grid, options)->sl.dimensions[0].coordinate[grid.sw({0, 0, 0}).index()], 5);
}

// Case 50: the second seed takes over, and service levels stay those of the pristine fabric.
TEST(TorusSeeds, BackupSeedKeepsServiceLevels) {
  const Grid pristine(test::grid_spec("6 5 1"));
  auto spec = test::grid_spec("6 5 1");
  spec.missing = {{1, 0, 0}};
  const Grid damaged(spec);
  const auto before = test::route_grid(pristine, pristine.options({{0, 0, 0}, {3, 3, 0}}));
  const auto after = test::route_grid(damaged, damaged.options({{0, 0, 0}, {3, 3, 0}}));
  ASSERT_TRUE(before && after);
  EXPECT_EQ(after->remarks[0], "seed 1 names 0x0000000000100028, which is not in the fabric");
  EXPECT_EQ(after->remarks[1], "seed 2 puts `sw_3_3_0` (0x0000000000100090) at (3,3,0)");
  const auto& survivors = damaged.fabric();
  for (std::uint32_t a = 0; a < survivors.switch_count(); ++a)
    for (std::uint32_t b = 0; b < survivors.switch_count(); ++b) {
      const auto& from = damaged.at(SwitchId(a));
      const auto& to = damaged.at(SwitchId(b));
      EXPECT_EQ(after->sl.sl(SwitchId(a), SwitchId(b)), before->sl.sl(pristine.sw(from), pristine.sw(to)));
    }
}

TEST(TorusSeeds, ContradictingSeedsAreRemarked) {
  const Grid grid(test::grid_spec("6 5 1"));
  auto options = grid.options({{0, 0, 0}, {3, 3, 0}});
  options.seeds[1].dateline = {0, 0, 0};
  const auto tables = test::route_grid(grid, options);
  ASSERT_TRUE(tables);
  EXPECT_EQ(tables->remarks[1],
            "seed 2 puts `sw_3_3_0` (0x0000000000100090) at (0,0,0), seed 1 at (3,3,0): service levels would "
            "change with "
            "the seed");
}

TEST(TorusSeeds, RadixFourWorksFromEverySeed) {
  const Grid grid(test::grid_spec("4 4m 4"));
  const auto reference = test::route_grid(grid, grid.options({{0, 0, 0}}));
  ASSERT_TRUE(reference);
  for (std::size_t p = 0; p < grid.positions(); ++p) {
    const auto other = test::route_grid(grid, grid.options({grid.at(p)}));
    ASSERT_TRUE(other);
    expect_equal_routing(grid, *reference, *other);
  }
}

struct BadSeed {
  const char* name;
  const char* radices;
  std::function<void(Options&)> spoil;  ///< options have seeds at (0,0,0) and (1,1,0), where it exists
  const char* rule;
  const char* message;
};

const std::vector<BadSeed> kBadSeeds{
    {"none", "6 5 1", [](Options& o) { o.seeds.clear(); }, "seed-incomplete", "no seed is configured"},
    {"radix_zero", "6 5 1", [](Options& o) { o.radix[2] = 0; }, "radix-invalid",
     "the radix of dimension z is 0"},
    {"radix_huge", "6 5 1",
     [](Options& o) {
       o.radix = {1000, 1000, 1000};
     },
     "radix-invalid", "a torus of 1000x1000x1000 has more positions than LIDs exist"},
    {"no_y_link", "6 5 1", [](Options& o) { o.seeds[1].plus[1] = o.seeds[1].minus[1] = {}; },
     "seed-incomplete", "seed 2 has neither `yp_link` nor `ym_link`, and y has radix 5"},
    {"radix_4_one_direction", "4 5 1", [](Options& o) { o.seeds[0].minus[0] = {}; }, "seed-incomplete",
     "seed 1 has no `xm_link`: a looped dimension of radix 4 needs the links in both directions"},
    {"radix_4_one_direction_in_backup", "4 5 1", [](Options& o) { o.seeds[1].plus[0] = {}; },
     "seed-incomplete",
     "seed 2 has no `xp_link`: a looped dimension of radix 4 needs the links in both directions"},
    {"split", "6 5 1",
     [](Options& o) {
       o.seeds[0].plus[1] = o.seeds[1].plus[1];
       o.seeds[0].minus[1] = {};
     },
     "seed-split",
     "`yp_link` of seed 1 starts at 0x0000000000100030, another of its links at 0x0000000000100000: all "
     "links of a "
     "seed start at one switch"},
    {"split_without_x", "1 6 5",
     [](Options& o) {
       o.seeds[0].plus[2]->from = o.seeds[0].plus[2]->to;
       o.seeds[0].minus[2] = {};
     },
     "seed-split",
     "`zp_link` of seed 1 starts at 0x0000000000100008, another of its links at 0x0000000000100000: all "
     "links of a "
     "seed start at one switch"},
    {"same_target_twice", "6 5 1", [](Options& o) { o.seeds[0].plus[1] = o.seeds[0].plus[0]; },
     "seed-conflict", "seed 1 puts 0x0000000000100028 at (1,0,0) and 0x0000000000100028 at (0,1,0)"},
    {"out_of_the_mesh", "6m 5 1",
     [](Options& o) {
       o.seeds[0].minus[0] = o.seeds[0].plus[0];
       o.seeds[0].plus[0] = {};
     },
     "seed-beyond-border",
     "`xm_link` of seed 1 leads out of the open dimension x: its switch 0x0000000000100000 has coordinates "
     "(0,0,0), "
     "which `x_dateline` moves"},
    {"absent", "6 5 1",
     [](Options& o) {
       o.seeds.resize(1);
       o.seeds[0].plus[0]->to = Guid(0x77);
     },
     "seed-absent", "seed 1 names 0x0000000000000077, which is not in the fabric"},
    {"no_switch", "6 5 1",
     [](Options& o) {
       o.seeds.resize(1);
       o.seeds[0].plus[0]->to = Guid(0x900004);
     },
     "seed-no-switch", "seed 1 names `host1` (0x0000000000900004), which is no switch"},
    {"not_neighbours", "6 5 1",
     [](Options& o) {
       o.seeds[0].minus[0].reset();
       o.seeds[0].plus[0]->to = Guid(0x100050);
       o.seeds[1].plus[1]->to = Guid(0x77);
     },
     "seed-not-neighbours",
     "`xp_link` of seed 1 names `sw_0_0_0` (0x0000000000100000) and `sw_2_0_0` (0x0000000000100050), which "
     "have "
     "no link; "
     "seed 2 names 0x0000000000000077, which is not in the fabric"},
};

class TorusBadSeeds : public testing::TestWithParam<BadSeed> {};

TEST_P(TorusBadSeeds, AreRefusedBeforeAnythingIsPlaced) {
  const Grid grid(test::grid_spec(GetParam().radices));
  auto options = grid.options({{0, 0, 0}, {grid.spec().radix[0] > 1 ? 1U : 0U, 1, 0}});
  GetParam().spoil(options);
  const auto tables = test::route_grid(grid, options);
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().rule, GetParam().rule);
  EXPECT_EQ(tables.error().message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(Cases, TorusBadSeeds, testing::ValuesIn(kBadSeeds),
                         [](const auto& param) { return std::string(param.param.name); });

/// A seed that names one link of a dimension, and this link is lost: its switches stand where it says. OpenSM
/// 3.3.23 takes them for neighbours, too.
TEST(TorusSeeds, TheOnlyLinkOfADimensionMayBeLost) {
  for (const char* radices : {"5 5 1", "6 5 3"})
    for (const std::size_t d : {std::size_t{0}, std::size_t{1}}) {
      auto spec = test::grid_spec(radices);
      auto options = Grid(spec).options({{0, 0, 0}});
      for (auto& minus : options.seeds[0].minus) minus.reset();
      const auto whole = test::route_grid(Grid(spec), options);
      test::At far{0, 0, 0};
      far[d] = 1;
      spec.cut = {{{0, 0, 0}, far}};
      const Grid grid(spec);
      const auto tables = test::route_grid(grid, options);
      ASSERT_TRUE(tables) << tables.error().message;
      EXPECT_NE(tables->remarks[0].find("which have no link"), std::string::npos) << tables->remarks[0];
      for (std::uint32_t a = 0; a < grid.fabric().switch_count(); ++a)
        for (const fabric::EndPort& end : grid.fabric().end_ports()) {
          EXPECT_NE(tables->lfts.at(SwitchId(a), end.lid), kNoPath);
          EXPECT_EQ(tables->sl.sl(SwitchId(a), end.sw), whole->sl.sl(SwitchId(a), end.sw));
        }
    }
}

/// The only seed loses a cable: its switches stand where they stood.
TEST(TorusSeeds, ALostCableIsBorneIfTheLinkTheOtherWayHolds) {
  for (const char* radices : {"4 4 4", "6 5 1"}) {
    auto spec = test::grid_spec(radices);
    const auto whole = test::route_grid(Grid(spec), Grid(spec).options({{0, 0, 0}}));
    spec.cut = {{{0, 0, 0}, {0, 1, 0}}};
    const Grid grid(spec);
    const auto tables = test::route_grid(grid, grid.options({{0, 0, 0}}));
    ASSERT_TRUE(tables) << tables.error().message;
    for (std::uint32_t a = 0; a < grid.fabric().switch_count(); ++a)
      for (const fabric::EndPort& end : grid.fabric().end_ports()) {
        EXPECT_NE(tables->lfts.at(SwitchId(a), end.lid), kNoPath);
        EXPECT_EQ(tables->sl.sl(SwitchId(a), end.sw), whole->sl.sl(SwitchId(a), end.sw));
      }
  }
}

}  // namespace
}  // namespace rch::engines::torus_2qos
