// Table entries by switch, and which destinations share a column.

#include <gmock/gmock.h>

#include "hand_tables.h"
#include "verify/entry_rows.h"

namespace rch::verify {
namespace {

using testing::ElementsAre;

class EntryRowsOf : public testing::Test {
 protected:
  EntryRowsOf() { test::route_shortest(tables, fabric); }

  /// LIDs of every column.
  std::vector<std::vector<unsigned>> columns() const {
    const auto all = destinations(fabric, wiring);
    const EntryRows rows(tables, wiring, all, {});
    std::vector<std::vector<unsigned>> lids;
    for (const EntryRows::Column& column : rows.columns()) {
      lids.emplace_back();
      for (const Destination& d : column.members) lids.back().push_back(d.lid.value);
    }
    return lids;
  }

  /// Two leaves with three hosts each (LIDs 4..6 and 7..9) under one spine.
  fabric::Fabric fabric = test::build(test::clos(2, 1, 3));
  Wiring wiring{fabric, 5};
  fabric::RoutingTables tables = test::empty_tables(fabric);
};

TEST_F(EntryRowsOf, HostsOfOneSwitchShareAColumn) {
  EXPECT_THAT(columns(), ElementsAre(ElementsAre(4, 5, 6), ElementsAre(7, 8, 9)));
}

TEST_F(EntryRowsOf, NotWhenAnEntryElsewhereDiffers) {
  test::set_entry(tables, 2, Lid(6), kNoPath);
  EXPECT_THAT(columns(), ElementsAre(ElementsAre(4, 5), ElementsAre(6), ElementsAre(7, 8, 9)));
}

TEST_F(EntryRowsOf, NotWhenTheOwnSwitchSendsItAway) {
  test::set_entry(tables, 1, Lid(8), 1);
  EXPECT_THAT(columns(), ElementsAre(ElementsAre(4, 5, 6), ElementsAre(7), ElementsAre(8), ElementsAre(9)));
}

TEST_F(EntryRowsOf, NotWhenTheirStepsDiffer) {
  const Lid later[] = {Lid(6), Lid(7)};
  test::add_step(tables, fabric, 2, later);
  EXPECT_THAT(columns(), ElementsAre(ElementsAre(4, 5), ElementsAre(6), ElementsAre(7), ElementsAre(8, 9)));
  tables.steps.back().holes = {std::uint64_t{2} << 16 | 4};
  EXPECT_THAT(columns(),
              ElementsAre(ElementsAre(4), ElementsAre(5), ElementsAre(6), ElementsAre(7), ElementsAre(8, 9)));
}

// A row says 0 where a switch hands a LID to its host, and nothing where a forwarding loop was taken out.
TEST_F(EntryRowsOf, RowsHoldTheEntriesOfTheTables) {
  for (std::uint32_t s = 0; s < 3; ++s)
    for (std::uint16_t lid = 4; lid < 10; ++lid)
      if (tables.lfts.at(SwitchId(s), Lid(lid)) > 3 || s == 2)
        test::set_entry(tables, s, Lid(lid), static_cast<std::uint8_t>(16 * s + lid));
  const auto all = destinations(fabric, wiring);
  const EntryRows rows(tables, wiring, all, {{Lid(5), {SwitchId(2)}}});
  ASSERT_EQ(rows.columns().size(), 6U);
  EXPECT_THAT(std::vector<unsigned>(rows.row(0), rows.row(0) + 6), ElementsAre(0, 0, 0, 7, 8, 9));
  EXPECT_THAT(std::vector<unsigned>(rows.row(1), rows.row(1) + 6), ElementsAre(20, 21, 22, 0, 0, 0));
  EXPECT_THAT(std::vector<unsigned>(rows.row(2), rows.row(2) + 6), ElementsAre(36, kNoPath, 38, 39, 40, 41));
  for (const EntryRows::Column& column : rows.columns()) EXPECT_TRUE(column.proper);
}

// Rows or LIDs that the tables do not have lead nowhere.
TEST_F(EntryRowsOf, WhatTheTablesLackIsNoPath) {
  const auto all = destinations(fabric, wiring);
  tables.lfts = fabric::ForwardingTables(2, Lid(9));
  const EntryRows rows(tables, wiring, all, {});
  for (std::size_t sw = 0; sw < 3; ++sw)
    for (std::size_t c = 0; c < rows.columns().size(); ++c) EXPECT_EQ(rows.row(sw)[c], kNoPath);
}

}  // namespace
}  // namespace rch::verify
