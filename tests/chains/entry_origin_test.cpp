#include "chains/entry_origin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Two leaves with a host each, two spines: leaf ports 2 and 3 lead to spines 2 and 3.
struct Origin : testing::Test {
  fabric::Fabric fabric = test::build(test::clos(2, 2, 1));
  fabric::RoutingTables tables;
  Lid to = fabric.end_ports().back().lid;

  Origin() {
    tables.lfts = fabric::ForwardingTables(fabric.switch_count(), fabric.max_lid());
    tables.lfts.row(SwitchId(0))[to.index()] = 3;
    for (std::uint32_t id = 1; id <= 3; ++id) {
      fabric::RoutedStep& step = tables.steps.emplace_back();
      step.id = StepId(id);
      step.switches = IdSet<SwitchId>(fabric.switch_count(), true);
      step.lids = IdSet<Lid>(fabric.max_lid().index() + 1, true);
    }
    tables.steps[2].holes = {std::uint64_t{to.value}};  // of switch 0
  }
};

TEST_F(Origin, TellsTheStepThatFilledTheEntryAndTheOthersThatCoverIt) {
  const EntryOrigin origin = entry_origin(fabric, tables, SwitchId(0), to);
  EXPECT_EQ(origin.port, 3);
  EXPECT_EQ(origin.step, 1U);
  EXPECT_THAT(origin.overlaid, ElementsAre(0U));
  EXPECT_THAT(origin.left_empty, ElementsAre(2U));
}

TEST_F(Origin, ListsPortsOnShortestPathsWithTheirLids) {
  const EntryOrigin origin = entry_origin(fabric, tables, SwitchId(0), to);
  EXPECT_EQ(origin.distance, 2U);
  ASSERT_EQ(origin.candidates.size(), 2U);
  EXPECT_EQ(origin.candidates[0].port, PortNum(2));
  EXPECT_EQ(origin.candidates[0].lids, 0U);
  EXPECT_EQ(origin.candidates[1].port, PortNum(3));
  EXPECT_EQ(origin.candidates[1].lids, 1U);
  EXPECT_TRUE(origin.is_shortest);
}

TEST_F(Origin, OfAnEmptyEntryThereIsNoStep) {
  tables.lfts.row(SwitchId(0))[to.index()] = kNoPath;
  const EntryOrigin origin = entry_origin(fabric, tables, SwitchId(0), to);
  EXPECT_FALSE(origin.step);
  EXPECT_THAT(origin.overlaid, IsEmpty());
  EXPECT_FALSE(origin.is_shortest);
  EXPECT_EQ(origin.candidates.size(), 2U);
}

TEST_F(Origin, AtItsOwnSwitchTheHostIsTheOnlyWay) {
  tables.lfts.row(SwitchId(1))[to.index()] = 1;
  const EntryOrigin origin = entry_origin(fabric, tables, SwitchId(1), to);
  EXPECT_EQ(origin.distance, 0U);
  ASSERT_EQ(origin.candidates.size(), 1U);
  EXPECT_TRUE(origin.is_shortest);
}

}  // namespace
}  // namespace rch::chains
