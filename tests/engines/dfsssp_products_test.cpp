// Products of smaller graphs, as tori are: they are recognised, and dfsssp routes large ones factor by
// factor.

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "engines/common/distances.h"
#include "engines/dfsssp/dfsssp.h"
#include "engines/dfsssp/product.h"
#include "engines/dfsssp/product_numbers.h"
#include "engines/dfsssp/product_routes.h"
#include "engines/dfsssp/service_levels.h"
#include "fabric/faults.h"
#include "fabric/generator.h"
#include "layer_judge.h"
#include "support/property.h"
#include "support/small_fabrics.h"
#include "table_judge.h"
#include "verify/metrics/metrics.h"
#include "verify/verify.h"

namespace rch::engines::dfsssp {
namespace {

using fabric::Fabric;
using fabric::SubFabric;

Fabric damaged(const fabric::GeneratorOptions& options, fabric::Faults faults = {}) {
  faults.seed = options.shuffle.value_or(1);
  const auto made = fabric::generate(options);
  auto found = fabric::remove_parts(made->fabric, faults);
  return test::with_ascending_lids(found ? found->fabric : made->fabric);
}

/// The fabric without the cable to a neighbour.
Fabric without_link(const Fabric& whole, SwitchId sw, const fabric::Neighbor& neighbor) {
  const auto guid = [&](SwitchId s) { return fmt::format("{}", whole.node(s).guid); };
  const fabric::Faults faults{.links = {guid(sw) + ":" + guid(neighbor.sw)}};
  return test::with_ascending_lids(fabric::remove_parts(whole, faults)->fabric);
}

fabric::Grid grid(const std::vector<std::uint32_t>& radices, bool wraps) {
  fabric::Grid grid;
  for (const std::uint32_t radix : radices) grid.dimensions.push_back({radix, wraps});
  return grid;
}

/// Sizes of the factors, ascending; empty: no product.
std::vector<std::uint32_t> factor_sizes(const fabric::Topology& shape, std::uint32_t lost_cables = 0) {
  const auto product =
      find_product(damaged({.shape = shape, .shuffle = 1}, {.random_links = lost_cables}).graph());
  std::vector<std::uint32_t> sizes;
  if (product)
    for (const Product::Factor& factor : product->factors) sizes.push_back(factor.size);
  std::ranges::sort(sizes);
  return sizes;
}

TEST(Products, AreRecognised) {
  using Sizes = std::vector<std::uint32_t>;
  EXPECT_EQ(factor_sizes(grid({7, 5, 6}, true)), Sizes({5, 6, 7}));
  EXPECT_EQ(factor_sizes(grid({7, 5, 6}, true), 3), Sizes({5, 6, 7}));
  EXPECT_EQ(factor_sizes(grid({9, 8}, true), 2), Sizes({8, 9}));
  EXPECT_EQ(factor_sizes(grid({7, 3, 4}, false)), Sizes({3, 4, 7}));
  EXPECT_EQ(factor_sizes(fabric::Hypercube{5}), Sizes({2, 2, 2, 2, 2}));
  EXPECT_EQ(factor_sizes(fabric::HyperX{{6, 5, 4}}), Sizes({4, 5, 6}));
  // A ring of four is a product of two links.
  EXPECT_EQ(factor_sizes(grid({4, 5}, true)), Sizes({2, 2, 5}));
}

TEST(Products, AreNotSeenInOtherFabrics) {
  for (const fabric::Topology& shape :
       {fabric::Topology(fabric::FatTree{6}), fabric::Topology(fabric::Dragonfly{9, 8, 1}),
        fabric::Topology(fabric::SlimFly{5}), fabric::Topology(fabric::RandomRegular{60, 5, 1}),
        fabric::Topology(grid({9}, true))})
    EXPECT_TRUE(factor_sizes(shape).empty()) << shape.index();
}

/// Tables of a product that is routed factor by factor; nothing if it does not fit.
std::optional<VirtualLayers> routed_by_factors(const Fabric& fabric, StepTables& tables,
                                               const fabric::SlRule& installed = {},
                                               std::span<const SwitchId> before = {}) {
  const SubFabric view(fabric);
  const common::Channels channels(fabric.graph());
  Routes routes(view, channels);
  tables.hops = common::distances(fabric.graph());
  auto product = find_product(fabric.graph());
  if (!product) return std::nullopt;
  const FactorLayers known = number_as_installed(installed, before, *product);
  auto layers = route_product(*product, known, *tables.hops, 8, routes);
  if (!layers) return std::nullopt;
  tables.lfts = routes.tables();
  tables.trees = layers->trees;
  tables.sl = sl_rule(*layers);
  tables.sl2vl = sl2vl_tables(view, layers->count, 5);
  return layers;
}

TEST(ProductRoutes, AreMinimalAndEvenOnALayerForEachSetOfRings) {
  struct Case {
    fabric::Topology shape;
    std::size_t layers;
    std::uint64_t least;  ///< flows on the fullest link, at best
  };
  for (const Case& c : {Case{grid({7, 5, 6}, true), 8, 180}, Case{grid({8, 8}, true), 4, 64},
                        Case{grid({5, 4, 3}, false), 1, 72}, Case{fabric::Hypercube{5}, 1, 16},
                        Case{fabric::HyperX{{6, 5}}, 1, 6}}) {
    const Fabric fabric = damaged({.shape = c.shape, .shuffle = 1});
    StepTables tables;
    const auto layers = routed_by_factors(fabric, tables);
    ASSERT_TRUE(layers);
    EXPECT_EQ(layers->count, c.layers);
    EXPECT_EQ(test::layer_faults(fabric, tables), "");
    EXPECT_TRUE(test::is_minimal(fabric, tables));
    const auto figures = verify::measure(fabric, test::whole_routing(fabric, tables), {.samples = 0});
    EXPECT_GE(figures.all_to_all.most, c.least);
    EXPECT_LE(figures.all_to_all.most, c.least + c.least / 8);
  }
}

/// A ring without one of its cables is a path, so packets that went over it go round the other way.
TEST(ProductRoutes, LeadAroundAnyMissingCable) {
  const Fabric whole = damaged({.shape = grid({5, 7, 6}, true), .shuffle = 3});
  for (std::uint32_t s = 0; s < whole.switch_count(); s += 59)
    for (const fabric::Neighbor& n : whole.graph().neighbors(SwitchId(s))) {
      const Fabric fabric = without_link(whole, SwitchId(s), n);
      StepTables tables;
      const auto layers = routed_by_factors(fabric, tables);
      ASSERT_TRUE(layers) << "switch " << s << " and " << n.sw.value;
      EXPECT_EQ(layers->count, 8U);
      EXPECT_EQ(test::layer_faults(fabric, tables), "") << "switch " << s << " and " << n.sw.value;
    }
}

/// By switch of a fabric, the switch of another one with the same GUID, or none().
std::vector<SwitchId> switches_in(const Fabric& other, const Fabric& fabric) {
  std::vector<SwitchId> found;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    found.push_back(other.find_switch(fabric.node(SwitchId(s)).guid).value_or(SwitchId::none()));
  return found;
}

/// Counts pairs of switches that two rules give different SLs. `before`: by switch of the first rule, its
/// number in the second, or none().
std::size_t changed_sls(const fabric::SlRule& now, const fabric::SlRule& then,
                        std::span<const SwitchId> before) {
  std::size_t count = 0;
  for (std::uint32_t a = 0; a < before.size(); ++a)
    for (std::uint32_t b = 0; b < before.size(); ++b)
      if (!before[a].is_none() && !before[b].is_none() &&
          now.sl(SwitchId(a), SwitchId(b)) != then.sl(before[a], before[b]))
        ++count;
  return count;
}

/// Hosts keep their SLs until they ask again, so a lost cable must change none, and neither must its return.
TEST(ProductRoutes, KeepServiceLevelsWhenACableIsLostAndReturns) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Fabric whole = damaged({.shape = grid({6, 7, 8}, true), .shuffle = seed});
    const Fabric cut =
        damaged({.shape = grid({6, 7, 8}, true), .shuffle = seed}, {.random_links = seed < 5 ? 1U : 2U});
    StepTables first, lost, back;
    ASSERT_TRUE(routed_by_factors(whole, first));
    const std::vector<SwitchId> to_whole = switches_in(whole, cut), to_cut = switches_in(cut, whole);
    ASSERT_TRUE(routed_by_factors(cut, lost, first.sl, to_whole));
    EXPECT_EQ(changed_sls(lost.sl, first.sl, to_whole), 0U) << seed;
    EXPECT_EQ(test::layer_faults(cut, lost), "") << seed;
    ASSERT_TRUE(routed_by_factors(whole, back, lost.sl, to_cut));
    EXPECT_EQ(changed_sls(back.sl, lost.sl, to_cut), 0U) << seed;
  }
}

/// Routes that were made without a switch divide pairs otherwise. When it returns they stay so.
TEST(ProductRoutes, KeepServiceLevelsWhenASwitchReturns) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Fabric whole = damaged({.shape = grid({6, 7, 5}, true), .shuffle = seed});
    const Fabric cut = damaged({.shape = grid({6, 7, 5}, true), .shuffle = seed}, {.random_switches = 1});
    StepTables lost, back;
    ASSERT_TRUE(routed_by_factors(cut, lost));
    const std::vector<SwitchId> to_cut = switches_in(cut, whole);
    ASSERT_TRUE(routed_by_factors(whole, back, lost.sl, to_cut));
    EXPECT_EQ(changed_sls(back.sl, lost.sl, to_cut), 0U) << seed;
    EXPECT_EQ(test::layer_faults(whole, back), "") << seed;
  }
}

/// Factors and coordinates follow from the numbers of switches. So they are others when the first switch is
/// gone, or when GUIDs are in another order.
TEST(ProductNumbers, AreThoseOfTheInstalledTables) {
  const Fabric whole = damaged({.shape = grid({7, 6, 5}, true), .shuffle = 2});
  StepTables tables;
  ASSERT_TRUE(routed_by_factors(whole, tables));
  const auto made = find_product(whole.graph());
  for (const std::uint32_t lost : {0U, 1U, 59U}) {
    const fabric::Faults faults{.switches = {fmt::format("{}", whole.node(SwitchId(lost)).guid)}};
    const Fabric cut = test::with_ascending_lids(fabric::remove_parts(whole, faults)->fabric);
    auto product = find_product(cut.graph());
    ASSERT_TRUE(product);
    const std::vector<SwitchId> before = switches_in(whole, cut);
    const FactorLayers layers = number_as_installed(tables.sl, before, *product);
    ASSERT_EQ(product->factors.size(), made->factors.size());
    for (std::size_t f = 0; f < layers.size(); ++f) {
      EXPECT_EQ(layers[f], tables.sl.dimensions[f].crosses);
      EXPECT_EQ(product->factors[f].edges, made->factors[f].edges);
      for (std::size_t s = 0; s < before.size(); ++s)
        ASSERT_EQ(product->factors[f].coordinate[s], made->factors[f].coordinate[before[s].index()]);
    }
  }
}

/// A rule of another engine has other coordinates.
TEST(ProductNumbers, StayWhereTheInstalledRuleIsAnother) {
  const Fabric fabric = damaged({.shape = grid({4, 4, 5}, true), .shuffle = 2});
  auto product = find_product(fabric.graph());
  const auto made = product;
  fabric::SlRule other;
  std::vector<std::uint16_t> coordinate(fabric.switch_count());
  for (std::size_t s = 0; s < coordinate.size(); ++s) coordinate[s] = static_cast<std::uint16_t>(s % 4);
  other.dimensions.push_back({0, 4, coordinate, std::vector<std::uint8_t>(16)});
  const FactorLayers layers = number_as_installed(other, switches_in(fabric, fabric), *product);
  for (std::size_t f = 0; f < layers.size(); ++f) {
    EXPECT_TRUE(layers[f].empty());
    EXPECT_EQ(product->factors[f].coordinate, made->factors[f].coordinate);
  }
}

TEST(ProductRoutes, LeadAroundAnyMissingSwitch) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Fabric fabric = damaged({.shape = grid({6, 7, 5}, true), .shuffle = seed}, {.random_switches = 1});
    StepTables tables;
    ASSERT_TRUE(routed_by_factors(fabric, tables)) << "shuffle " << seed;
    EXPECT_EQ(test::layer_faults(fabric, tables), "") << "shuffle " << seed;
  }
}

/// Detours are counted as a plain search counts them.
TEST(ProductRoutes, CountTheirDetours) {
  const Fabric fabric = damaged({.shape = grid({5, 7, 6}, true), .shuffle = 1}, {.random_links = 2});
  StepTables tables;
  const auto layers = routed_by_factors(fabric, tables);
  ASSERT_TRUE(layers);
  const SubFabric view(fabric);
  const common::Channels channels(fabric.graph());
  Routes routes(view, channels);
  routes.read(tables.lfts);
  EXPECT_EQ(layers->detours, count_detours(*tables.hops, routes));
  EXPECT_GT(layers->detours, 0U);
}

fabric::Topology any_product() {
  const auto radices = [](std::uint32_t most, std::size_t dimensions) {
    return *rc::gen::container<std::vector<std::uint32_t>>(dimensions, rc::gen::inRange(2U, most + 1));
  };
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return grid(radices(7, 2), true);
    case 1:
      return grid(radices(5, 3), *rc::gen::arbitrary<bool>());
    case 2:
      return fabric::Hypercube{*rc::gen::inRange(2U, 6U)};
    default:
      return fabric::HyperX{radices(6, 2)};
  }
}

/// Whatever is missing, the routes either do not fit, or keep all promises.
TEST(ProductRoutesProperties, LeadAroundWhatIsMissing) {
  EXPECT_TRUE(test::check([] {
    const fabric::Topology shape = any_product();
    const auto few = [] { return *rc::gen::inRange(0U, 4U); };
    const Fabric fabric = damaged(
        {.shape = shape, .parallel = *rc::gen::inRange(1U, 3U), .shuffle = *rc::gen::inRange(1U, 1000U)},
        {.random_links = few(), .random_switches = few()});
    StepTables tables;
    const auto layers = routed_by_factors(fabric, tables);
    RC_TAG(!layers ? "do not fit" : layers->around_missing ? "lead around" : "as they are");
    if (layers) RC_ASSERT(test::layer_faults(fabric, tables) == "");
  }));
}

/// Nue gives detours to most LIDs of a torus of this size, and takes a hundred times as long.
TEST(LargeTorus, TakesALayerForEachSetOfDatelines) {
  const Fabric fabric = damaged({.shape = grid({11, 10, 10}, true)});
  const auto tables = route(SubFabric(fabric), {});
  ASSERT_TRUE(tables);
  EXPECT_EQ(test::layer_count(fabric, *tables), 8U);
  EXPECT_FALSE(test::has_detours(*tables));
  EXPECT_TRUE(verify::verify(fabric, test::whole_routing(fabric, *tables)).findings.empty());
}

}  // namespace
}  // namespace rch::engines::dfsssp
