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
    std::vector<std::vector<unsigned>> lids;
    for (const EntryColumn& column : columns_of(tables, all)) {
      lids.emplace_back();
      for (const Destination& d : column.members) lids.back().push_back(d.lid.value);
    }
    return lids;
  }

  /// Entries by switch, one column a LID.
  std::vector<std::vector<unsigned>> rows(const ForwardingLoops& loops) const {
    const auto all = destinations(fabric, wiring);
    std::vector<EntryColumn> columns;
    for (const Destination& d : all) columns.push_back({{&d, 1}, false});
    const Lanes lanes(wiring, tables.sl2vl, 1);
    const Injection injection(wiring, lanes);
    const Options options{.column_bytes = 1};
    const fabric::AggregationNodes aggregation(fabric);
    const Context context{fabric, tables, wiring, lanes, injection, all, {}, options, aggregation};
    const SwitchOrder order(wiring);
    EntryRows entries(context, order, columns.size());
    entries.gather(columns, loops);
    std::vector<std::vector<unsigned>> rows;
    for (std::uint32_t sw = 0; sw < wiring.switch_count(); ++sw) {
      const std::uint8_t* row = entries.row(order.at(SwitchId(sw)));
      rows.emplace_back(row, row + columns.size());
    }
    return rows;
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

TEST_F(EntryRowsOf, ASwitchIsReachedAsItsFirstHostOrInAnotherWay) {
  const auto others = [&] {
    std::vector<unsigned> lids;
    for (const Destination& d :
         with_other_entries(tables, switch_destinations(fabric), destinations(fabric, wiring)))
      lids.push_back(d.lid.value);
    return lids;
  };
  for (const auto& [sw, host] : {std::pair{1, 4}, std::pair{2, 7}})
    for (std::uint32_t at = 0; at < 3; ++at) {
      const bool own =
          Lid(static_cast<std::uint16_t>(sw)) == fabric.port(fabric.port_id(SwitchId(at), PortNum(0))).lid;
      test::set_entry(tables, at, Lid(static_cast<std::uint16_t>(sw)),
                      own ? 0 : tables.lfts.at(SwitchId(at), Lid(static_cast<std::uint16_t>(host))));
    }
  EXPECT_THAT(others(), ElementsAre(3)) << "the spine has no host";
  test::set_entry(tables, 2, Lid(2), kNoPath);
  EXPECT_THAT(others(), ElementsAre(2, 3));
  test::set_entry(tables, 0, Lid(1), 1);
  EXPECT_THAT(others(), ElementsAre(1, 2, 3)) << "it sends its own packets away";
}

// An entry counts while it leads to another switch. It leads nowhere where a forwarding loop was taken out.
TEST_F(EntryRowsOf, RowsHoldTheEntriesThatLeadOn) {
  const auto port_to = [&](std::uint32_t from, std::uint32_t to) {
    for (unsigned port = 1; port <= wiring.num_ports(from); ++port)
      if (const Exit& exit = wiring.exits(from)[port]; exit.kind == Exit::Kind::to_switch && exit.to == to)
        return port;
    return 0U;
  };
  test::set_entry(tables, 0, Lid(8), 200);
  EXPECT_THAT(
      rows({{Lid(5), {SwitchId(2)}}}),
      ElementsAre(ElementsAre(0, 0, 0, port_to(0, 2), 0, port_to(0, 2)),
                  ElementsAre(port_to(1, 2), port_to(1, 2), port_to(1, 2), 0, 0, 0),
                  ElementsAre(port_to(2, 0), 0, port_to(2, 0), port_to(2, 1), port_to(2, 1), port_to(2, 1))));
}

// Rows or LIDs that the tables do not have lead nowhere.
TEST_F(EntryRowsOf, WhatTheTablesLackLeadsNowhere) {
  tables.lfts = fabric::ForwardingTables(2, Lid(9));
  for (const std::vector<unsigned>& row : rows({}))
    EXPECT_THAT(row, testing::Each(unsigned{EntryRows::kEnd}));
}

}  // namespace
}  // namespace rch::verify
