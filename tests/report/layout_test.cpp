#include "report/layout.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "../verify/hand_tables.h"
#include "fabric/faults.h"
#include "fabric/generator.h"
#include "report/part.h"

namespace rch::report {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

fabric::Fabric made(fabric::Topology shape, std::uint32_t hosts = 1) {
  return fabric::generate({.shape = std::move(shape), .hosts = hosts})->fabric;
}

Layout layout_of(const fabric::Fabric& fabric) { return lay_out(fabric, test::empty_tables(fabric)); }

/// Each switch lies in its area, and no two at one place.
void expect_places(const fabric::Fabric& fabric, const Layout& layout) {
  ASSERT_EQ(layout.x.size(), fabric.switch_count());
  std::set<std::pair<float, float>> places;
  for (std::size_t s = 0; s < fabric.switch_count(); ++s) {
    ASSERT_LT(layout.area[s], layout.areas.size());
    const Box& box = layout.areas[layout.area[s]].box;
    EXPECT_TRUE(box.left <= layout.x[s] && layout.x[s] <= box.right) << s;
    EXPECT_TRUE(box.top <= layout.y[s] && layout.y[s] <= box.bottom) << s;
    EXPECT_TRUE(places.emplace(layout.x[s], layout.y[s]).second) << s;
  }
}

TEST(Layout, DrawsATorusAsItsGridWithoutBeingTold) {
  const auto fabric = made(fabric::Grid{{{6, true}, {5, true}}});
  const Layout layout = layout_of(fabric);
  ASSERT_EQ(layout.areas.size(), 1U);
  EXPECT_EQ(layout.areas[0].shape, Shape::grid);
  EXPECT_THAT(layout.areas[0].radix, ElementsAre(6, 5));
  expect_places(fabric, layout);
}

TEST(Layout, RecognisesGridsOfAllKinds) {
  struct Case {
    fabric::Topology shape;
    std::vector<std::uint32_t> radix;
  };
  const Case cases[] = {{fabric::Grid{{{5, false}, {4, false}}}, {5, 4}},
                        {fabric::Grid{{{4, true}, {4, true}}}, {4, 4}},
                        {fabric::Grid{{{4, true}, {3, true}, {5, true}}}, {5, 4, 3}},
                        {fabric::Grid{{{6, true}, {6, true}, {6, true}}}, {6, 6, 6}},
                        {fabric::Grid{{{7, true}}}, {7}}};
  for (const Case& each : cases) {
    const auto fabric = made(each.shape);
    const Layout layout = layout_of(fabric);
    EXPECT_EQ(layout.areas[0].shape, Shape::grid);
    EXPECT_EQ(layout.areas[0].radix, each.radix);
    expect_places(fabric, layout);
  }
}

TEST(Layout, ADamagedTorusStaysAGrid) {
  const auto whole = made(fabric::Grid{{{8, true}, {7, true}}});
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    for (const auto& faults : {fabric::Faults{.random_links = 1, .seed = seed},
                               fabric::Faults{.random_links = 0, .random_switches = 1, .seed = seed}}) {
      const auto fabric = fabric::remove_parts(whole, faults)->fabric;
      const Layout layout = layout_of(fabric);
      EXPECT_EQ(layout.areas[0].shape, Shape::grid) << seed;
      expect_places(fabric, layout);
    }
}

TEST(Layout, TreesHaveARowForEachRankAndABoxForEachPod) {
  const auto fabric = made(fabric::FatTree{4});
  const Layout layout = layout_of(fabric);
  ASSERT_EQ(layout.areas.size(), 1U);
  EXPECT_EQ(layout.areas[0].shape, Shape::tree);
  EXPECT_EQ(layout.areas[0].ranks, 3U);
  EXPECT_EQ(layout.groups.size(), 4U);
  for (std::size_t s = 0; s < fabric.switch_count(); ++s) {
    const bool has_hosts = !fabric.end_ports_of(SwitchId(static_cast<std::uint32_t>(s))).empty();
    EXPECT_EQ(layout.rank[s] == 0, has_hosts);
    for (std::size_t t = 0; t < s; ++t)
      EXPECT_EQ(layout.y[s] == layout.y[t], layout.rank[s] == layout.rank[t]);
  }
  expect_places(fabric, layout);
}

TEST(Layout, AServerOnASpineDoesNotMakeItALeaf) {
  test::Shape shape = test::clos(8, 4, 8);
  shape.hosts[8] = 1;
  const auto fabric = test::build(shape);
  const Layout layout = layout_of(fabric);
  EXPECT_EQ(layout.areas[0].shape, Shape::tree);
  EXPECT_EQ(layout.areas[0].ranks, 2U);
}

TEST(Layout, GroupsOfADragonflyAreApart) {
  const auto fabric = made(fabric::Dragonfly{9, 4, 2}, 2);
  const Layout layout = layout_of(fabric);
  EXPECT_EQ(layout.areas[0].shape, Shape::groups);
  EXPECT_EQ(layout.groups.size(), 9U);
  expect_places(fabric, layout);
}

TEST(Layout, StepsOfTheirOwnAndPartsWithoutCablesBetweenThemAreApart) {
  test::Shape shape = test::clos(4, 2, 4);
  for (std::uint32_t s = 0; s < 9; ++s) shape.hosts.push_back(1);
  for (std::uint32_t s = 0; s < 9; ++s) {  // a torus of 3 x 3 that no cable joins to the tree
    shape.cables.push_back({6 + s, 6 + s / 3 * 3 + (s + 1) % 3});
    shape.cables.push_back({6 + s, 6 + (s + 3) % 9});
  }
  const auto fabric = test::build(shape);
  const Layout layout = layout_of(fabric);
  ASSERT_EQ(layout.areas.size(), 2U);
  EXPECT_THAT((std::vector{layout.areas[0].shape, layout.areas[1].shape}),
              UnorderedElementsAre(Shape::tree, Shape::grid));
  expect_places(fabric, layout);

  auto tables = test::empty_tables(fabric);
  tables.steps.push_back(tables.steps.front());
  tables.steps[1].id = StepId(2);
  tables.steps[1].switches = IdSet<SwitchId>(fabric.switch_count());
  for (const std::uint32_t leaf : std::initializer_list<std::uint32_t>{0, 1})
    tables.steps[1].switches.insert(SwitchId(leaf));
  const Layout by_step = lay_out(fabric, tables);
  EXPECT_EQ(by_step.areas.size(), 3U);
  EXPECT_EQ(by_step.areas[by_step.area[0]].step, 1U);
  EXPECT_EQ(by_step.areas[by_step.area[0]].switches, 2U);
}

RC_GTEST_PROP(LayoutProperty, AnyFabricIsDrawnWithEachSwitchAtAPlaceOfItsOwn, (std::uint32_t seed)) {
  const auto fabric = test::build(test::random_shape(seed, 24));
  const Layout layout = layout_of(fabric);
  std::set<std::pair<float, float>> places;
  for (std::size_t s = 0; s < fabric.switch_count(); ++s) {
    const Box& box = layout.areas.at(layout.area[s]).box;
    RC_ASSERT(box.left <= layout.x[s] && layout.x[s] <= box.right && box.top <= layout.y[s] &&
              layout.y[s] <= box.bottom);
    RC_ASSERT(places.emplace(layout.x[s], layout.y[s]).second);
  }
}

}  // namespace
}  // namespace rch::report
