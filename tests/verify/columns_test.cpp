// Columns cut out of the tables, and which destinations are walked to together.

#include <gmock/gmock.h>

#include "hand_tables.h"
#include "verify/columns.h"

namespace rch::verify {
namespace {

using testing::ElementsAre;

/// LIDs of every group, sorted by the first.
std::vector<std::vector<unsigned>> lids_of(const Columns& columns) {
  std::vector<std::vector<unsigned>> all;
  for (const Group& group : columns.groups()) {
    std::vector<unsigned> lids;
    for (const Destination* d : group.members) lids.push_back(d->lid.value);
    all.push_back(lids);
  }
  std::sort(all.begin(), all.end());
  return all;
}

class ColumnsOf : public testing::Test {
 protected:
  ColumnsOf() { test::route_shortest(tables, fabric); }

  std::vector<std::vector<unsigned>> groups() const {
    const auto all = destinations(fabric, wiring);
    return lids_of(Columns(tables, wiring, all));
  }

  /// Two leaves with three hosts each (LIDs 4..6 and 7..9) under one spine.
  fabric::Fabric fabric = test::build(test::clos(2, 1, 3));
  Wiring wiring{fabric, 5};
  fabric::RoutingTables tables = test::empty_tables(fabric);
};

TEST_F(ColumnsOf, HostsOfOneSwitchGoTogether) {
  EXPECT_THAT(groups(), ElementsAre(ElementsAre(4, 5, 6), ElementsAre(7, 8, 9)));
}

TEST_F(ColumnsOf, NotWhenAnEntryElsewhereDiffers) {
  test::set_entry(tables, 2, Lid(5), kNoPath);
  EXPECT_THAT(groups(), ElementsAre(ElementsAre(4, 6), ElementsAre(5), ElementsAre(7, 8, 9)));
}

TEST_F(ColumnsOf, NotWhenTheOwnSwitchSendsItAway) {
  test::set_entry(tables, 1, Lid(8), 1);
  test::set_entry(tables, 1, Lid(9), 0);
  EXPECT_THAT(groups(), ElementsAre(ElementsAre(4, 5, 6), ElementsAre(7), ElementsAre(8), ElementsAre(9)));
}

TEST_F(ColumnsOf, NotWhenTheirStepsDiffer) {
  const Lid later[] = {Lid(6), Lid(7)};
  test::add_step(tables, fabric, 2, later);
  EXPECT_THAT(groups(), ElementsAre(ElementsAre(4, 5), ElementsAre(6), ElementsAre(7), ElementsAre(8, 9)));
  tables.steps.back().holes = {std::uint64_t{2} << 16 | 4};
  EXPECT_THAT(groups(),
              ElementsAre(ElementsAre(4), ElementsAre(5), ElementsAre(6), ElementsAre(7), ElementsAre(8, 9)));
}

TEST_F(ColumnsOf, HoldEveryEntryOfTheTables) {
  for (std::uint32_t s = 0; s < 3; ++s)
    for (std::uint16_t lid = 4; lid < 10; ++lid)
      test::set_entry(tables, s, Lid(lid), static_cast<std::uint8_t>(16 * s + lid));
  const auto all = destinations(fabric, wiring);
  const Columns columns(tables, wiring, all);
  ASSERT_EQ(columns.groups().size(), 6U);
  for (const Group& group : columns.groups()) {
    const unsigned lid = group.members.front()->lid.value;
    EXPECT_THAT(group.column, ElementsAre(lid, 16 + lid, 32 + lid));
    EXPECT_FALSE(group.proper);
    EXPECT_EQ(columns.own_entry(*group.members.front()), 16 * group.sw().value + lid);
  }
}

// More rows than a tile, LIDs in more than one line, and a run that starts in the middle.
TEST(LargeColumns, AreTransposedWhole) {
  test::Shape shape;
  shape.hosts.assign(150, 1);
  for (std::uint32_t s = 1; s < 150; ++s) shape.cables.push_back({s - 1, s});
  const fabric::Fabric fabric = test::build(shape);
  const Wiring wiring(fabric, 5);
  fabric::RoutingTables tables = test::empty_tables(fabric);
  for (std::uint32_t s = 0; s < 150; ++s)
    for (std::uint16_t lid = 151; lid <= 300; ++lid)
      test::set_entry(tables, s, Lid(lid), static_cast<std::uint8_t>(2 + (s * 7 + lid * 13) % 250));
  const auto all = destinations(fabric, wiring);
  const Columns columns(tables, wiring, std::span(all).subspan(40, 100));
  ASSERT_EQ(columns.groups().size(), 100U);
  for (const Group& group : columns.groups())
    for (std::uint32_t s = 0; s < 150; ++s)
      ASSERT_EQ(group.column[s], tables.lfts.at(SwitchId(s), group.members.front()->lid));
}

}  // namespace
}  // namespace rch::verify
