// What a fabric shows of its torus, whatever the radices say.

#include <gtest/gtest.h>

#include "engines/torus_2qos/discovery.h"
#include "fabric/sub_fabric.h"
#include "torus_grid.h"

namespace rch::engines::torus_2qos {
namespace {

using test::Grid;

std::array<std::uint32_t, 3> lengths(const Grid& grid, const Options& options) {
  const auto found = ring_lengths(fabric::SubFabric(grid.fabric()), options);
  return {found[0].value_or(0), found[1].value_or(0), found[2].value_or(0)};
}

TEST(TorusDiscovery, RingsAreCountedAlongTheCables) {
  for (const std::string shape : {"6 5 1", "3 5 7", "8m 5 6", "5m 6m 1", "7 1 1"}) {
    const Grid grid(test::grid_spec(shape));
    auto options = grid.options({{0, 0, 0}});
    const auto& radix = grid.spec().radix;
    options.radix = {radix[0] == 1 ? 1U : 9U, radix[1] == 1 ? 1U : 9U, radix[2] == 1 ? 1U : 9U};
    const auto expected = [&](std::size_t d) { return radix[d] == 1 ? 0U : radix[d]; };
    EXPECT_EQ(lengths(grid, options), (std::array{expected(0), expected(1), expected(2)})) << shape;
  }
}

TEST(TorusDiscovery, ARowIsCountedToBothEnds) {
  const Grid grid(test::grid_spec("8m 5 1"));
  auto options = grid.options({{3, 2, 0}});
  EXPECT_EQ(lengths(grid, options), (std::array{8U, 5U, 0U}));
}

/// Four in a ring look like any square; two have nowhere to go.
TEST(TorusDiscovery, RingsOfFourAndTwoAreNotTold) {
  const Grid grid(test::grid_spec("4 5 2"));
  EXPECT_EQ(lengths(grid, grid.options({{0, 0, 0}})), (std::array{0U, 5U, 0U}));
}

TEST(TorusDiscovery, ALaterSeedIsToldItsDatelines) {
  const Grid grid(test::grid_spec("6 5 1"));
  auto options = grid.options({{0, 0, 0}, {4, 2, 0}});
  options.seeds[1].dateline = {1, 0, 0};
  const auto found = discover_torus(fabric::SubFabric(grid.fabric()), options);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->seed_conflicts.size(), 1U);
  const SeedConflict& conflict = found->seed_conflicts[0];
  EXPECT_EQ(conflict.seed, 2U);
  ASSERT_TRUE(conflict.datelines);
  options.seeds[1].dateline = *conflict.datelines;
  EXPECT_TRUE(discover_torus(fabric::SubFabric(grid.fabric()), options)->seed_conflicts.empty());

  std::swap(options.seeds[1].plus[0], options.seeds[1].plus[1]);
  std::swap(options.seeds[1].minus[0], options.seeds[1].minus[1]);
  const auto turned = discover_torus(fabric::SubFabric(grid.fabric()), options);
  ASSERT_TRUE(turned);
  ASSERT_EQ(turned->seed_conflicts.size(), 1U);
  EXPECT_FALSE(turned->seed_conflicts[0].datelines);
}

}  // namespace
}  // namespace rch::engines::torus_2qos
