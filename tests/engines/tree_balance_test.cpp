// How evenly ftree and pqft spread traffic, beside OpenSM's tables (docs/metrics.md).

#include <map>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/ftree/ftree.h"
#include "engines/pqft/pqft.h"
#include "tree_fabrics.h"

namespace rch::engines {
namespace {

using pqft::Structure;
using test::TreeFabric;

StepTables must(EngineResult result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

struct Balance {
  std::uint64_t shift = 0;            ///< flows on the fullest link of the worst shift, in the tree's order
  std::uint64_t shift_by_switch = 0;  ///< the same by switch and port
  std::uint64_t destinations = 0;     ///< hosts that others send to over one link, at most
  std::uint64_t flows = 0;            ///< on the fullest link when all send to all
};

Balance balance(const fabric::Fabric& fabric, const StepTables& tables) {
  const auto metrics = verify::measure(fabric, test::one_step(fabric, tables.lfts), {.samples = 0});
  return {test::worst_shift(fabric, tables.lfts, tables.host_order), metrics.shifts.worst,
          metrics.destinations.bins.back().value, metrics.all_to_all.most};
}

struct Case {
  const char* name;
  Structure structure;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const Case kTrees[] = {
    {"k4", test::k_ary(4)},
    {"k8", test::k_ary(8)},
    {"clos", {.children = {4, 6}, .parents = {1, 4}, .cables = {1, 1}}},
    {"clos_with_spare_spines", {.children = {4, 4}, .parents = {1, 3}, .cables = {1, 2}}},
    {"parallel_cables", {.children = {6, 8}, .parents = {1, 3}, .cables = {1, 2}}},
    {"odd_numbers", {.children = {5, 7}, .parents = {1, 3}, .cables = {1, 3}}},
    {"half_the_cables", {.children = {6, 8}, .parents = {1, 3}, .cables = {1, 1}}},
    {"three_levels_parallel", {.children = {4, 3, 4}, .parents = {1, 2, 3}, .cables = {1, 2, 1}}},
    {"four_levels", {.children = {2, 2, 2, 3}, .parents = {1, 2, 2, 2}, .cables = {1, 1, 1, 1}}},
};

class WholeTrees : public testing::TestWithParam<Case> {};

TEST_P(WholeTrees, NoLessEvenThanByOpenSm) {
  const TreeFabric made = test::pgft(GetParam().structure, {.shuffle_ports = true, .seed = 7});
  const fabric::SubFabric view(made.fabric);
  const Balance theirs = balance(made.fabric, must(ftree::route(view, {.compat = true})));
  for (const StepTables& ours : {must(ftree::route(view, {})), must(pqft::route(view, {}))}) {
    EXPECT_LE(balance(made.fabric, ours).shift, theirs.shift);
    EXPECT_LE(balance(made.fabric, ours).destinations, theirs.destinations);
  }
}

INSTANTIATE_TEST_SUITE_P(Trees, WholeTrees, testing::ValuesIn(kTrees),
                         [](const auto& param) { return std::string(param.param.name); });

/// Some cables missing, the same ones for both.
class DamagedTrees : public testing::TestWithParam<Case> {};

TEST_P(DamagedTrees, NoLessEvenThanByOpenSm) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TreeFabric made =
        test::pgft(GetParam().structure, {.lost_cables = seed % 2 == 0 ? 0.01 : 0.05, .seed = seed});
    const fabric::SubFabric view(made.fabric);
    const tree::Lists lists{.roots = made.roots};
    const Balance theirs = balance(made.fabric, must(ftree::route(view, {.lists = lists, .compat = true})));
    for (const EngineResult& tables :
         {ftree::route(view, {.lists = lists}), pqft::route(view, {.lists = lists})}) {
      if (!tables && tables.error().rule == "leaves-apart") continue;
      const Balance ours = balance(made.fabric, tables.value());
      EXPECT_LE(ours.shift, theirs.shift) << seed;
      EXPECT_LE(ours.shift_by_switch, theirs.shift_by_switch) << seed;
      EXPECT_LE(ours.destinations, theirs.destinations) << seed;
      EXPECT_LE(ours.flows, theirs.flows) << seed;
      EXPECT_EQ(test::dangers(made.fabric, tables->lfts), "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Trees, DamagedTrees,
                         testing::Values(kTrees[1], kTrees[2], kTrees[3], kTrees[4], kTrees[7], kTrees[8]),
                         [](const auto& param) { return std::string(param.param.name); });

/// Too large for the repair pass. If all sub-trees displaced a destination to the same group, the fullest
/// link would carry those of two.
TEST(LargeDamagedTree, DisplacedDestinationsDoNotMeet) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const TreeFabric made = test::pgft(test::k_ary(18), {.lost_cables = 0.01, .seed = seed});
    const fabric::SubFabric view(made.fabric);
    const tree::Lists lists{.roots = made.roots};
    const std::uint64_t least = 18 * 18 * 18 / 4 - 9;  // on the links into a leaf of the whole tree
    for (const StepTables& tables :
         {must(ftree::route(view, {.lists = lists})), must(pqft::route(view, {.lists = lists}))})
      EXPECT_LE(balance(made.fabric, tables).flows, least * 8 / 5) << seed;
  }
}

TEST(KaryTree, EveryCableDownServesHostsOfItsOwn) {
  const TreeFabric made = test::pgft(test::k_ary(8));
  for (const StepTables& tables : {must(ftree::route(fabric::SubFabric(made.fabric), {})),
                                   must(pqft::route(fabric::SubFabric(made.fabric), {}))}) {
    const auto metrics =
        verify::measure(made.fabric, test::one_step(made.fabric, tables.lfts), {.samples = 0});
    EXPECT_EQ(metrics.shifts.worst, 1U);
    EXPECT_THAT(metrics.destinations.bins,
                testing::ElementsAre(verify::Histogram::Bin{1, 256}, verify::Histogram::Bin{7, 128},
                                     verify::Histogram::Bin{31, 128}));
  }
}

const Case kFullBisection[] = {
    {"k8", test::k_ary(8)},
    {"clos_with_parallel_cables", {.children = {6, 4}, .parents = {1, 3}, .cables = {1, 2}}},
    {"half_filled_leaves", {.children = {2, 4, 8}, .parents = {1, 4, 4}, .cables = {1, 1, 1}}},
};

TEST(FullBisection, ShiftsWithoutCongestion) {
  for (const Case& tree : kFullBisection) {
    const TreeFabric made = test::pgft(tree.structure);
    const fabric::SubFabric view(made.fabric);
    for (const StepTables& tables : {must(ftree::route(view, {})), must(pqft::route(view, {}))})
      EXPECT_EQ(test::worst_shift(made.fabric, tables.lfts, tables.host_order), 1U) << tree.name;
  }
}

/// The LIDs of one host leave a leaf by different spines.
TEST(SeveralLids, TakeDifferentNeighbors) {
  for (std::uint8_t lmc = 1; lmc <= 7; ++lmc) {
    const TreeFabric made = test::pgft({.children = {2, 3}, .parents = {1, 8}, .cables = {1, 1}}, {}, lmc);
    const fabric::SubFabric view(made.fabric);
    for (const StepTables& tables : {must(ftree::route(view, {})), must(pqft::route(view, {}))}) {
      EXPECT_EQ(test::dangers(made.fabric, tables.lfts), "");
      const fabric::EndPort& host = made.fabric.end_ports().back();
      std::map<std::uint8_t, int> times;
      for (std::uint32_t bit = 0; bit < 1U << lmc; ++bit)
        ++times[tables.lfts.at(SwitchId(0), Lid(static_cast<std::uint16_t>(host.lid.value + bit)))];
      EXPECT_EQ(times.size(), std::min<std::size_t>(8, std::size_t{1} << lmc)) << int{lmc};
      for (const auto& [port, count] : times) EXPECT_EQ(count, std::max(1, (1 << lmc) / 8)) << int{port};
    }
  }
}

}  // namespace
}  // namespace rch::engines
