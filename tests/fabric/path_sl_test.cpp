#include <gtest/gtest.h>

#include <algorithm>

#include "fabric/fabric_builder.h"
#include "fabric/generator.h"
#include "fabric/lids.h"
#include "fabric/routing_tables.h"
#include "support.h"

namespace rch::fabric::test {
namespace {

/// A line of five switches s0 - .. - s4, a host on each; port 1 up the line, port 2 down, port 3 the host.
struct Line {
  Fabric fabric;
  RoutingTables tables;

  Line() : fabric(make()) {
    const std::size_t n = fabric.switch_count();
    tables.lfts = ForwardingTables(n, fabric.max_lid());
    for (std::uint32_t s = 0; s < n; ++s)
      for (const EndPort& end : fabric.end_ports())
        tables.lfts.row(SwitchId(s))[end.lid.index()] = end.sw.value > s ? 1 : end.sw.value < s ? 2 : 3;
    tables.steps.push_back(step(0, {0, 1, 2, 3, 4}));
  }

  static Fabric make() {
    const Fabric bare = std::move(generate({.shape = Grid{{{5, false}}}}).value().fabric);
    return std::move(with_lids(bare, plan_lids(bare, {})->lids).value());
  }

  /// A step that covers the switches and the hosts on them.
  RoutedStep step(std::uint32_t id, std::initializer_list<std::uint32_t> switches) {
    RoutedStep step{
        StepId(id), "test", IdSet<SwitchId>(fabric.switch_count()), IdSet<Lid>(fabric.max_lid().index() + 1),
        {},         {}};
    for (std::uint32_t s : switches) {
      step.switches.insert(SwitchId(s));
      step.lids.insert(lid(s));
    }
    return step;
  }

  Lid lid(std::uint32_t s) const { return fabric.end_ports_of(SwitchId(s))[0].lid; }

  /// SLs from s0..s4 to the host on `to`, which must not depend on how they are asked for.
  std::vector<int> sls(std::uint32_t to) const {
    std::vector<std::uint8_t> all;
    path_sls_to(fabric, tables, lid(to), all);
    std::vector<int> out;
    for (std::uint32_t s = 0; s < all.size(); ++s) {
      EXPECT_EQ(all[s], path_sl(fabric, tables, SwitchId(s), lid(to))) << "from " << s << " to " << to;
      out.push_back(all[s]);
    }
    return out;
  }
};

/// One dimension along the line; paths that go up cross a dateline.
SlRule::Dimension upward(std::uint32_t first, std::uint32_t last) {
  SlRule::Dimension d{0, last - first + 1, std::vector<std::uint16_t>(5, SlRule::kNoCoordinate), {}};
  for (std::uint32_t s = first; s <= last; ++s) d.coordinate[s] = static_cast<std::uint16_t>(s - first);
  for (std::uint32_t from = 0; from < d.radix; ++from)
    for (std::uint32_t to = 0; to < d.radix; ++to) d.crosses.push_back(from < to);
  return d;
}

TEST(PathSl, WithoutDimensionsEveryPathHasTheBase) {
  Line line;
  line.tables.steps[0].sl.base = 2;
  EXPECT_EQ(line.sls(3), (std::vector<int>{2, 2, 2, 2, 2}));
}

TEST(PathSl, TheRuleOfTheStepGivesTheSl) {
  Line line;
  line.tables.steps[0].sl.base = 8;
  line.tables.steps[0].sl.dimensions = {upward(0, 4)};
  EXPECT_EQ(line.sls(2), (std::vector<int>{9, 9, 8, 8, 8}));
}

TEST(PathSl, APathThatEntersAStepGetsTheSlOfItsEntry) {
  Line line;
  line.tables.steps.push_back(line.step(1, {2, 3, 4}));
  line.tables.steps[1].sl.dimensions = {upward(2, 4)};
  // From 0 and 1 the path enters at 2, and is marked as one from there.
  EXPECT_EQ(line.sls(4), (std::vector<int>{1, 1, 1, 1, 0}));
  EXPECT_EQ(line.sls(2), (std::vector<int>{0, 0, 0, 0, 0}));
  EXPECT_EQ(line.sls(0), (std::vector<int>{0, 0, 0, 0, 0}));  // leaves the step
}

TEST(PathSl, PathsThatCrossAStepOnEntriesOfAnotherCarryItsBorderBits) {
  Line line;
  line.tables.steps.push_back(line.step(1, {2, 3}));
  line.tables.steps[1].sl.dimensions = {upward(2, 3)};
  line.tables.steps[1].sl.border = 4;
  EXPECT_EQ(line.sls(4), (std::vector<int>{4, 4, 4, 4, 0}));
  EXPECT_EQ(line.sls(0), (std::vector<int>{0, 0, 4, 4, 4}));
  EXPECT_EQ(line.sls(3), (std::vector<int>{1, 1, 1, 0, 0}));  // 4 enters at 3 itself
}

TEST(PathSl, HolesBelongToEarlierSteps) {
  Line line;
  RoutedStep later = line.step(1, {1, 2, 3});
  const Lid hole = line.lid(3);
  later.holes = {std::uint64_t{2} << 16 | hole.value};
  EXPECT_TRUE(later.covers(SwitchId(1), hole));
  EXPECT_FALSE(later.covers(SwitchId(2), hole));
  EXPECT_FALSE(later.covers(SwitchId(0), hole));
  line.tables.steps.push_back(std::move(later));
  EXPECT_EQ(line.tables.step_of(SwitchId(1), hole), 1u);
  EXPECT_EQ(line.tables.step_of(SwitchId(2), hole), 0u);
  EXPECT_EQ(line.tables.step_of(SwitchId(4), hole), 0u);
}

TEST(PathSl, ALoopOrADeadEndEnds) {
  Line line;
  line.tables.steps.push_back(line.step(1, {3, 4}));
  line.tables.steps[1].sl.dimensions = {upward(3, 4)};
  line.tables.lfts.row(SwitchId(1))[line.lid(4).index()] = 2;        // 0 and 1 send to each other
  line.tables.lfts.row(SwitchId(2))[line.lid(4).index()] = kNoPath;  // and 2 drops
  EXPECT_EQ(line.sls(4), (std::vector<int>{0, 0, 0, 1, 0}));
}

/// A line as a torus would have it: two SL bits for paths up, and the QoS bit.
Line with_datelines() {
  Line line;
  SlRule& rule = line.tables.steps[0].sl;
  rule.border = 8;
  rule.dimensions = {upward(0, 4), upward(0, 4)};
  rule.dimensions[1].bit = 1;
  return line;
}

TEST(PathSl, Case63ARequestThatInsistsOnAnSlNeedsTheRightOne) {
  const Line line = with_datelines();
  const auto sl = [&](std::uint8_t requested) {
    return path_sl_for(line.fabric, line.tables, SwitchId(0), line.lid(4), requested);
  };
  EXPECT_EQ(sl(3), 3);
  EXPECT_EQ(sl(11), 11);
  EXPECT_NE(sl(0), 0);
  EXPECT_NE(sl(8), 8);
}

TEST(PathSl, Case64OfThePartitionsSlTheQosBitCounts) {
  const Line line = with_datelines();
  for (std::uint32_t from = 0; from < 5; ++from)
    for (std::uint32_t to = 0; to < 5; ++to) {
      const auto sl = [&](std::uint8_t requested) {
        return path_sl_for(line.fabric, line.tables, SwitchId(from), line.lid(to), requested);
      };
      const int own = from < to ? 3 : 0;
      EXPECT_EQ(sl(8), own + 8);
      EXPECT_EQ(sl(5), own);
    }
}

TEST(PathSl, PolicyHasTheBitsThatTheRoutingLeaves) {
  Line line = with_datelines();
  const auto sl = [&](std::uint8_t requested, Lid to) {
    return path_sl_for(line.fabric, line.tables, SwitchId(0), to, requested);
  };
  line.tables.steps.push_back(line.step(1, {0}));  // the QoS bit keeps the steps apart
  EXPECT_EQ(sl(11, line.lid(4)), 3);
  line.tables.steps.pop_back();
  line.tables.steps[0].sl.border = 0;  // lanes by destination
  EXPECT_EQ(sl(15, line.lid(4)), 3);
  line.tables.steps[0].sl = {};  // one SL for all
  EXPECT_EQ(sl(11, line.lid(4)), 11);
  line.tables.lfts.row(SwitchId(0))[line.lid(4).index()] = kNoPath;
  EXPECT_EQ(sl(0, line.lid(4)), std::nullopt);
  EXPECT_EQ(sl(0, Lid(1000)), std::nullopt);
}

TEST(PathSl, TheVlFollowsTheMapOrTheSl) {
  Line line;
  EXPECT_EQ(line.tables.vl(SwitchId(0), PortNum(1), PortNum(2), 5), 5);
  EXPECT_EQ(line.tables.vl(SwitchId(0), PortNum(1), PortNum(2), 15), 7);
  const std::vector<std::uint8_t> ports(5, 3);
  Sl2VlMap map{};
  line.tables.sl2vl = Sl2VlTables(ports, map);
  map[5] = 1;
  line.tables.sl2vl.set(SwitchId(0), PortNum(1), PortNum(2), line.tables.sl2vl.intern(map));
  EXPECT_EQ(line.tables.vl(SwitchId(0), PortNum(1), PortNum(2), 5), 1);
  EXPECT_EQ(line.tables.vl(SwitchId(0), PortNum(2), PortNum(1), 5), 0);
  EXPECT_EQ(line.tables.sl2vl.intern(map), 1);
  EXPECT_EQ(line.tables.sl2vl.maps().size(), 2u);
}

TEST(ForwardingTables, RowsArePaddedToBlocks) {
  ForwardingTables tables(3, Lid(64));
  EXPECT_EQ(tables.stride(), 128u);
  EXPECT_EQ(tables.blocks(), 2u);
  EXPECT_EQ(tables.byte_count(), 384u);
  for (std::uint32_t s = 0; s < 3; ++s)
    for (std::uint8_t byte : tables.row(SwitchId(s))) ASSERT_EQ(byte, kNoPath);
  tables.row(SwitchId(1))[64] = 7;
  const ForwardingTables copy = tables.clone();
  tables.row(SwitchId(1))[64] = 8;
  EXPECT_EQ(copy.at(SwitchId(1), Lid(64)), 7);
  EXPECT_EQ(copy.max_lid(), Lid(64));
}

TEST(ForwardingTables, CopiesShareRowsUntilOneIsWritten) {
  ForwardingTables one(3, Lid(64));
  ForwardingTables two = one.clone();
  EXPECT_EQ(one, two);
  const auto& read = std::as_const(two);
  EXPECT_EQ(read.row(SwitchId(0)).data(), std::as_const(one).row(SwitchId(0)).data());
  two.row(SwitchId(0))[1] = 1;
  one.row(SwitchId(1))[1] = 2;
  EXPECT_EQ(one.at(SwitchId(0), Lid(1)), kNoPath);
  EXPECT_EQ(two.at(SwitchId(1), Lid(1)), kNoPath);
  EXPECT_NE(one, two);
  ForwardingTables three = two.clone();  // of rows of both kinds
  two.row(SwitchId(0))[1] = 3;
  EXPECT_EQ(three.at(SwitchId(0), Lid(1)), 1);
  const std::uint8_t* mine = three.row(SwitchId(2)).data();
  EXPECT_EQ(three.row(SwitchId(2)).data(), mine);
  const ForwardingTables four = three.clone();
  std::ranges::fill(three.fresh_row(SwitchId(2)), 9);
  EXPECT_EQ(three.at(SwitchId(2), Lid(64)), 9);
  EXPECT_EQ(four.at(SwitchId(2), Lid(64)), kNoPath);
  EXPECT_NE(three.row(SwitchId(2)).data(), mine);
  EXPECT_NE(ForwardingTables(3, Lid(64)), ForwardingTables(3, Lid(200)));
}

TEST(ForwardingTables, OneRowMayBeShared) {
  ForwardingTables from(2, Lid(64)), to(1, Lid(64));
  from.row(SwitchId(1))[1] = 5;
  to.share_row(SwitchId(0), from, SwitchId(1));
  EXPECT_EQ(std::as_const(to).row(SwitchId(0)).data(), std::as_const(from).row(SwitchId(1)).data());
  to.row(SwitchId(0))[1] = 6;
  EXPECT_EQ(from.at(SwitchId(1), Lid(1)), 5);
  from.row(SwitchId(1))[2] = 7;
  EXPECT_EQ(to.at(SwitchId(0), Lid(2)), kNoPath);
}

}  // namespace
}  // namespace rch::fabric::test
