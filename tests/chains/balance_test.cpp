#include "chains/balance.h"

#include <gtest/gtest.h>

#include "engines/minhop/minhop.h"
#include "fabric/table_changes.h"
#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

fabric::ForwardingTables routed(const fabric::Fabric& fabric) {
  return engines::minhop::route(fabric::SubFabric(fabric), {})->lfts.clone();
}

TEST(Balance, CountsFlowsOnLinks) {
  const fabric::Fabric fabric = test::build(test::clos(4, 2, 4));
  fabric::RoutingTables tables;
  tables.lfts = routed(fabric);
  const Balance even = balance(fabric, tables);  // 4 hosts send to 12 remote ones over 2 spines
  EXPECT_EQ(even.most, 24U);
  EXPECT_DOUBLE_EQ(even.deviation, 0.0);
  for (const fabric::EndPort& host : fabric.end_ports())
    if (host.sw != SwitchId(0)) tables.lfts.row(SwitchId(0))[host.lid.index()] = 5;
  const Balance skewed = balance(fabric, tables);  // up: all by the first spine, the other link idles
  EXPECT_EQ(skewed.most, 48U);
  EXPECT_GT(skewed.deviation, even.deviation);
}

TEST(Balance, FivePercentAreWorthIt) {
  EXPECT_TRUE(is_clearly_better({95, 1.0}, {100, 1.0}));
  EXPECT_FALSE(is_clearly_better({96, 1.0}, {100, 1.0}));
  EXPECT_TRUE(is_clearly_better({100, 0.9}, {100, 1.0}));
  EXPECT_FALSE(is_clearly_better({101, 0.5}, {100, 1.0}));
  EXPECT_FALSE(is_clearly_better({4, 0.0}, {4, 0.0}));
}

TEST(Balance, MuchFullerLinksAreToldOfAtAnyDeviation) {
  EXPECT_TRUE(is_worth_telling({95, 1.0}, {100, 1.0}, {100, 1.0}));
  EXPECT_FALSE(is_worth_telling({100, 2.0}, {201, 1.0}, {101, 1.0}));
  EXPECT_TRUE(is_worth_telling({100, 2.0}, {201, 1.0}, {100, 1.0}));
  EXPECT_FALSE(is_worth_telling({200, 2.0}, {201, 1.0}, {100, 1.0}));
}

TEST(TableChanges, CountsEntriesBlocksAndSwitches) {
  const fabric::Fabric fabric = test::build(test::clos(40, 2, 4));  // LIDs over several blocks
  const auto before = routed(fabric);
  auto after = before.clone();
  const auto none = fabric::table_changes(fabric, before, fabric, after);
  EXPECT_EQ(none.entries + none.blocks + none.switches, 0U);
  for (std::size_t lid : {1U, 2U, 70U}) after.row(SwitchId(3))[lid] = 77;
  after.row(SwitchId(5))[1] = 77;
  const auto some = fabric::table_changes(fabric, before, fabric, after);
  EXPECT_EQ(some.entries, 4U);
  EXPECT_EQ(some.blocks, 3U);
  EXPECT_EQ(some.switches, 2U);
}

TEST(TableChanges, NewSwitchesCountWhole) {
  const fabric::Fabric small = test::build(test::clos(4, 2, 4)), large = test::build(test::clos(4, 3, 4));
  const auto before = routed(small), after = routed(large);
  EXPECT_EQ(fabric::table_changes(small, before, large, after).switches, 7U);
}

}  // namespace
}  // namespace rch::chains
