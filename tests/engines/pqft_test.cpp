// What pqft says of fabrics that do not have the structure they should, and of other things it meets.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/pqft/pqft.h"
#include "tree_fabrics.h"

namespace rch::engines::pqft {
namespace {

using testing::ElementsAre;

Structure three_levels() { return {.children = {4, 3, 4}, .parents = {1, 2, 3}, .cables = {1, 2, 1}}; }

TEST(PqftCheck, WholeTreeFits) {
  const test::TreeFabric made = test::pgft(three_levels());
  const auto tables = route(fabric::SubFabric(made.fabric), {.structure = three_levels()});
  ASSERT_TRUE(tables) << tables.error().message;
  EXPECT_THAT(tables->remarks, ElementsAre());
}

TEST(PqftCheck, MissingPartsAreRemarked) {
  const test::TreeFabric made = test::pgft(three_levels(), {.lost_cables = 0.1, .seed = 3});
  const auto tables =
      route(fabric::SubFabric(made.fabric), {.lists = {.roots = made.roots}, .structure = three_levels()});
  ASSERT_TRUE(tables) << tables.error().message;
  EXPECT_THAT(tables->remarks, ElementsAre("of the structure, 0 switches and 9 cables are missing"));
}

struct Misfit {
  const char* rule;
  Structure structure;
  const char* message;
};

const Misfit kMisfits[] = {
    {"structure-levels",
     {.children = {4, 3}, .parents = {1, 2}, .cables = {1, 2}},
     "the structure has 2 levels, the fabric 3 from the roots to the leaves"},
    {"structure-switches",
     {.children = {4, 3, 3}, .parents = {1, 2, 3}, .cables = {1, 2, 1}},
     "12 switches on level 1, where the structure has 9"},
    {"structure-hosts",
     {.children = {3, 3, 4}, .parents = {1, 2, 3}, .cables = {1, 2, 1}},
     "`switch 0` (0x0000000000100000) has 4 end ports, where the structure has 3"},
    {"structure-above",
     {.children = {4, 3, 4}, .parents = {1, 4, 3}, .cables = {1, 1, 1}},
     "`switch 0` (0x0000000000100000) has 4 cables to 2 switches above it, where the structure has 4 to 4"},
    {"structure-below",
     {.children = {4, 2, 6}, .parents = {1, 2, 3}, .cables = {1, 2, 2}},
     "`switch 12` (0x0000000000100060) has 6 cables to 3 switches below it, where the structure has 4 to 2"},
};

TEST(PqftCheck, OtherTreesAreRefused) {
  const test::TreeFabric made = test::pgft(three_levels());
  for (const Misfit& misfit : kMisfits) {
    const auto refused = route(fabric::SubFabric(made.fabric), {.structure = misfit.structure});
    ASSERT_FALSE(refused) << misfit.rule;
    EXPECT_EQ(refused.error().rule, misfit.rule);
    EXPECT_EQ(refused.error().message, misfit.message);
  }
}

/// A quasi fat tree spreads what a parallel one bundles: two cables to one spine become one to each of two.
TEST(PqftCheck, QuasiTreesSpreadTheirCables) {
  const Structure spread{.children = {4, 4}, .parents = {1, 4}, .cables = {1, 1}};
  const test::TreeFabric made = test::pgft(spread);
  Structure bundled{.children = {4, 4}, .parents = {1, 2}, .cables = {1, 2}};
  EXPECT_FALSE(route(fabric::SubFabric(made.fabric), {.structure = bundled}));
  bundled = {.quasi = true, .children = {4, 4}, .parents = {1, 4}, .cables = {1, 1}};
  EXPECT_TRUE(route(fabric::SubFabric(made.fabric), {.structure = bundled}));
}

TEST(PqftRefusals, LeavesApart) {
  test::Shape shape;
  shape.hosts = {2, 2, 0, 0};
  shape.cables = {{0, 2}, {1, 3}};
  const fabric::Fabric fabric = test::build(shape);
  const auto refused = route(fabric::SubFabric(fabric), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().rule, "leaves-apart");
  EXPECT_EQ(refused.error().message,
            "no cable joins the parts of the fabric with `switch 0` (0x0000000000100000) and `switch 1` "
            "(0x0000000000100008)");
  // Two pairs of leaves under spines that a cable joins.
  shape.cables.push_back({2, 3});
  const fabric::Fabric joined = test::build(shape);
  const auto apart = route(fabric::SubFabric(joined), {});
  ASSERT_FALSE(apart);
  EXPECT_EQ(apart.error().message,
            "no up-down path leads from `switch 0` (0x0000000000100000) to `switch 1` (0x0000000000100008); "
            "name the roots in `root_guid_file`");
}

TEST(PqftRemarks, SiblingCablesAreNotUsed) {
  test::Shape shape = test::clos(4, 2, 2);
  shape.cables.push_back({0, 1});
  const fabric::Fabric fabric = test::build(shape);
  const auto tables = route(fabric::SubFabric(fabric), {});
  ASSERT_TRUE(tables) << tables.error().message;
  EXPECT_THAT(tables->remarks, ElementsAre("1 cable between switches of one rank not used"));
}

}  // namespace
}  // namespace rch::engines::pqft
