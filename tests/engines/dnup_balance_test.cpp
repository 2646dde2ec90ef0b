// How evenly dnup spreads traffic where all switches have hosts, beside OpenSM's tables.

#include <numeric>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/updn/updn.h"
#include "fabric/faults.h"
#include "support/small_fabrics.h"
#include "table_judge.h"
#include "tree_fabrics.h"
#include "verify/metrics/metrics.h"

namespace rch::engines::updn {
namespace {

StepTables routed(const fabric::Fabric& fabric, const common::PortOptions& ports) {
  auto tables = route_dnup(fabric::SubFabric(fabric), {.ports = ports});
  if (!tables) throw std::runtime_error(tables.error().message);
  return std::move(*tables);
}

/// Two cables a link, those of each dimension at the same ports everywhere. The order of dimensions comes
/// from `seed`; one cable is missing if it is odd.
fabric::Fabric hypercube(std::uint32_t dimensions, std::uint64_t seed) {
  test::Shape shape{.hosts = std::vector<std::uint32_t>(std::size_t{1} << dimensions, 1), .cables = {}};
  std::vector<std::uint32_t> order(dimensions);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint64_t i = 0; i < seed / 2; ++i) std::ranges::next_permutation(order);
  for (std::uint32_t d : order)
    for (std::uint32_t s = 0; s < shape.hosts.size(); ++s)
      if ((s >> d & 1) == 0) shape.cables.insert(shape.cables.end(), 2, {s, s | 1U << d});
  fabric::Fabric whole = test::build(shape);
  if (seed % 2 == 0) return whole;
  auto damaged = fabric::remove_parts(whole, {.random_links = 1, .seed = seed});
  return std::move(damaged->fabric);
}

verify::Metrics measured(const fabric::Fabric& fabric, const StepTables& tables) {
  return verify::measure(fabric, test::one_step(fabric, tables.lfts), {.samples = 0});
}

class Hypercubes : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Hypercubes, NoLessEvenThanByOpenSmUnlessThatClosesACircle) {
  std::size_t compared = 0, second_looks = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const fabric::Fabric fabric = hypercube(GetParam(), seed);
    const StepTables ours = routed(fabric, {});
    EXPECT_EQ(test::credit_cycle(fabric, ours.lfts, true), "") << seed;
    second_looks += !ours.trees.empty();
    const StepTables theirs = routed(fabric, {.compat = true});
    if (!test::credit_cycle(fabric, theirs.lfts).empty()) continue;
    ++compared;
    const auto our = measured(fabric, ours), their = measured(fabric, theirs);
    EXPECT_LE(our.destinations.bins.back().value, their.destinations.bins.back().value) << seed;
    EXPECT_LE(our.shifts.worst, their.shifts.worst) << seed;
  }
  EXPECT_GT(compared, 0U);
  EXPECT_GT(second_looks, 0U);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, Hypercubes, testing::Values(3U, 4U));

}  // namespace
}  // namespace rch::engines::updn
