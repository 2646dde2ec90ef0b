// Small fabrics that dor routes, and its dimensions.

#include <algorithm>
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "engines/dor/dor.h"
#include "engines/minhop/minhop.h"
#include "support/property.h"
#include "support/small_fabrics.h"
#include "table_judge.h"

namespace rch::engines::dor {
namespace {

using testing::ElementsAre;

StepTables routed(const fabric::Fabric& fabric, const Options& options = {}) {
  return *route(fabric::SubFabric(fabric), options);
}
StepTables by_minhop(const fabric::Fabric& fabric) { return *minhop::route(fabric::SubFabric(fabric), {}); }

/// A grid with one host a switch; the cables of a dimension come before those of the next, so that every
/// switch scans its dimensions in the same order.
test::Shape grid(std::array<std::uint32_t, 3> size, bool torus) {
  test::Shape shape;
  shape.hosts.assign(std::size_t{size[0]} * size[1] * size[2], 1);
  std::uint32_t stride = 1;
  for (std::uint32_t radix : size) {
    for (std::uint32_t s = 0; s < shape.hosts.size(); ++s) {
      const std::uint32_t at = s / stride % radix;
      if (at + 1 < radix) shape.cables.push_back({s, s + stride});
      if (torus && radix > 2 && at + 1 == radix) shape.cables.push_back({s, s - at * stride});
    }
    stride *= radix;
  }
  return shape;
}

TEST(DorTables, OneSpineOverAllItsCables) {
  const fabric::Fabric fabric = test::build(test::clos(4, 3, 4, 3));
  const StepTables tables = routed(fabric);
  std::vector<int> load(14);
  for (const fabric::EndPort& host : fabric.end_ports())
    if (host.sw != SwitchId(0)) ++load[tables.lfts.at(SwitchId(0), host.lid)];
  EXPECT_THAT(load, ElementsAre(0, 0, 0, 0, 0, 4, 4, 4, 0, 0, 0, 0, 0, 0));  // ports 5 to 7: spine 0
}

TEST(DorTables, HypercubesAndMeshesHaveNoCreditLoop) {
  for (const auto& size : {std::array{4U, 4U, 2U}, std::array{2U, 2U, 2U}}) {
    const fabric::Fabric fabric = test::build(grid(size, false));
    EXPECT_EQ(test::credit_cycle(fabric, routed(fabric).lfts, true), "");
  }
  test::Shape cube = grid({2, 2, 4}, false);  // four dimensions of two
  cube.cables.clear();
  for (std::uint32_t bit : {1U, 2U, 4U, 8U})
    for (std::uint32_t s = 0; s < 16; ++s)
      if ((s & bit) == 0) cube.cables.push_back({s, s | bit});
  const fabric::Fabric fabric = test::build(cube);
  EXPECT_EQ(test::credit_cycle(fabric, routed(fabric).lfts, true), "");
  EXPECT_NE(test::credit_cycle(fabric, by_minhop(fabric).lfts), "");
  const fabric::Fabric mesh = test::build(grid({4, 4, 2}, false));
  EXPECT_NE(test::credit_cycle(mesh, by_minhop(mesh).lfts), "");
}

TEST(DorTables, RingsOfATorusLoop) {
  const fabric::Fabric fabric = test::build(grid({5, 5, 1}, true));
  const std::string cycle = test::credit_cycle(fabric, routed(fabric).lfts);
  EXPECT_EQ(std::ranges::count(cycle, '.'), 6) << cycle;  // once round a ring of five
}

TEST(DorTables, EveryLidOfAHostTakesAnotherCable) {
  test::Shape shape = test::clos(2, 1, 2, 4);
  shape.lmc = 2;
  const fabric::Fabric fabric = test::build(shape);
  const StepTables tables = routed(fabric);
  for (const fabric::EndPort& host : fabric.end_ports_of(SwitchId(1))) {
    std::vector<int> ports;
    for (std::uint16_t k = 0; k < 4; ++k)
      ports.push_back(tables.lfts.at(SwitchId(0), Lid(static_cast<std::uint16_t>(host.lid.value + k))));
    EXPECT_THAT(ports, testing::UnorderedElementsAre(3, 4, 5, 6));
  }
}

/// Where the cabling mixes dimensions up, the order of the ports tells them apart.
TEST(DorTables, PortOrderNamesTheDimensions) {
  EXPECT_TRUE(test::check([] {
    test::Shape shape = grid({2, 2, 2}, false);
    std::vector<std::size_t> by_dimension;
    const auto shuffled = *rc::gen::apply(
        [&](std::vector<int> keys) {
          std::vector<test::Cable> cables = shape.cables;
          for (std::size_t i = cables.size(); i > 1; --i)
            std::swap(cables[i - 1], cables[static_cast<std::size_t>(keys[i - 1]) % i]);
          return cables;
        },
        rc::gen::container<std::vector<int>>(12, rc::gen::inRange(0, 1000)));
    shape.cables = shuffled;
    const fabric::Fabric fabric = test::build(shape);
    Options options;
    for (std::uint32_t s = 0; s < 8; ++s) {
      common::PortOrder order{fabric.node(SwitchId(s)).guid, {}};
      for (std::uint32_t bit : {1U, 2U, 4U})
        for (const fabric::Neighbor& n : fabric.graph().neighbors(SwitchId(s)))
          if (n.sw.value == (s ^ bit)) order.ports.push_back(fabric.graph().links(n).front().out);
      options.ports.port_search_ordering.push_back(order);
    }
    const StepTables tables = routed(fabric, options);
    RC_ASSERT(tables.remarks.empty());
    for (std::uint32_t from = 0; from < 8; ++from)
      for (std::uint32_t to = 0; to < 8; ++to) {
        const auto path = test::path(fabric, tables.lfts, SwitchId(from), test::switch_lid(fabric, to));
        RC_ASSERT(path.has_value());
        std::uint32_t lowest = 0;
        for (std::size_t i = 1; i < path->size(); ++i) {
          const std::uint32_t bit = (*path)[i - 1].value ^ (*path)[i].value;
          RC_ASSERT(bit > lowest);
          lowest = bit;
        }
      }
  }));
}

}  // namespace
}  // namespace rch::engines::dor
