// One hand-made fabric and table for each thing that verify finds, the whole message compared.

#include <gmock/gmock.h>

#include "fabric/fabric_builder.h"
#include "hand_tables.h"
#include "verify/verify.h"

namespace rch::verify {
namespace {

using test::empty_tables;
using test::host_lid;
using test::set_entry;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

/// Switches 0, 1, 2 in a row, a host each on port 1 (LIDs 4, 5, 6). Switch 1 has switch 0 on port 2 and
/// switch 2 on port 3; the outer ones have switch 1 on port 2. Switch 2 has a port 3 without a cable.
fabric::Fabric row() {
  test::Shape shape;
  shape.hosts = {1, 1, 1};
  shape.cables = {{0, 1}, {1, 2}};
  fabric::FabricBuilder builder(test::build(shape));
  builder.node(*builder.find(Guid(0x100010))).ports.emplace_back();
  return *std::move(builder).build();
}

class Row : public testing::Test {
 protected:
  Row() { test::route_shortest(tables, fabric); }

  /// The one finding there is.
  Finding only(const Options& options = {}) const {
    const Verdict verdict = verify(fabric, tables, options);
    EXPECT_FALSE(verdict.clean());
    EXPECT_EQ(verdict.findings.size(), 1U);
    return verdict.findings.empty() ? Finding{} : verdict.findings.front();
  }

  fabric::Fabric fabric = row();
  fabric::RoutingTables tables = empty_tables(fabric);
};

TEST_F(Row, ShortestWaysAreClean) {
  const Verdict verdict = verify(fabric, tables);
  EXPECT_TRUE(verdict.clean());
  EXPECT_THAT(verdict.findings, IsEmpty());
  EXPECT_EQ(verdict.pairs, 6U);
  EXPECT_EQ(verdict.channels, 4U);
  EXPECT_EQ(verdict.dependencies, 2U);
}

TEST_F(Row, MissingEntry) {
  set_entry(tables, 2, host_lid(fabric, 2), kNoPath);
  const Finding finding = only();
  EXPECT_EQ(finding.kind, FindingKind::unreachable);
  EXPECT_EQ(finding.count, 2U);
  EXPECT_EQ(finding.message,
            "2 of 6 pairs have no path, such as `host 0` (0x0000000000900000) port 1 to LID 6 of `host 2` "
            "(0x0000000000900008) port 1, SL 0: `switch 0` (0x0000000000100000) port 2 -> `switch 1` "
            "(0x0000000000100008) port 3, then `switch 2` (0x0000000000100010) has no entry for LID 6");
  EXPECT_THAT(finding.witness,
              ElementsAre(Field(&Hop::sw, SwitchId(0)), Field(&Hop::sw, SwitchId(1)),
                          testing::AllOf(Field(&Hop::sw, SwitchId(2)), Field(&Hop::in, PortNum(2)),
                                         Field(&Hop::out, PortNum(kNoPath)))));
}

TEST_F(Row, EntryToAPortWithoutLink) {
  set_entry(tables, 2, host_lid(fabric, 0), 3);
  EXPECT_EQ(only().message,
            "1 of 6 pairs have no path, such as `host 2` (0x0000000000900008) port 1 to LID 4 of `host 0` "
            "(0x0000000000900000) port 1, SL 0: `switch 2` (0x0000000000100010) sends LID 4 to port 3, which "
            "has no "
            "link");
}

TEST_F(Row, EntryBeyondThePorts) {
  set_entry(tables, 1, host_lid(fabric, 2), 200);
  EXPECT_EQ(only().message,
            "2 of 6 pairs have no path, such as `host 0` (0x0000000000900000) port 1 to LID 6 of `host 2` "
            "(0x0000000000900008) port 1, SL 0: `switch 0` (0x0000000000100000) port 2, then `switch 1` "
            "(0x0000000000100008) sends LID 6 to port 200 and has 3 ports");
}

TEST_F(Row, EntryToTheSwitchItself) {
  set_entry(tables, 1, host_lid(fabric, 1), 0);
  EXPECT_EQ(only().message,
            "2 of 6 pairs have no path, such as `host 0` (0x0000000000900000) port 1 to LID 5 of `host 1` "
            "(0x0000000000900004) port 1, SL 0: `switch 0` (0x0000000000100000) port 2, then `switch 1` "
            "(0x0000000000100008) keeps LID 5 to itself (port 0)");
}

TEST_F(Row, EntryToAnotherHost) {
  set_entry(tables, 1, host_lid(fabric, 2), 1);
  EXPECT_EQ(only().message,
            "2 of 6 pairs have no path, such as `host 0` (0x0000000000900000) port 1 to LID 6 of `host 2` "
            "(0x0000000000900008) port 1, SL 0: `switch 0` (0x0000000000100000) port 2, then `switch 1` "
            "(0x0000000000100008) sends LID 6 to port 1, where `host 1` (0x0000000000900004) port 1 does not "
            "own it");
}

TEST_F(Row, TablesTooSmallForTheFabric) {
  tables.lfts = fabric::ForwardingTables(2, Lid(3));
  const Finding finding = only();
  EXPECT_EQ(finding.count, 6U);
  EXPECT_EQ(finding.message,
            "6 of 6 pairs have no path, such as `host 1` (0x0000000000900004) port 1 to LID 4 of `host 0` "
            "(0x0000000000900000) port 1, SL 0: `switch 1` (0x0000000000100008) has no entry for LID 4");
}

TEST_F(Row, NoTablesAtAll) {
  const Verdict verdict = verify(fabric, {});
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(verdict.findings.front().count, 6U);
  EXPECT_EQ(verdict.channels, 0U);
}

TEST(NoSwitch, NothingToJudge) {
  fabric::FabricBuilder builder;
  fabric::NodeSpec spec;
  spec.guid = Guid(0x900000);
  spec.type = fabric::NodeType::ca;
  spec.ports.resize(2);
  spec.ports[1].lid = Lid(1);
  builder.add(spec);
  const fabric::Fabric fabric = *std::move(builder).build();
  const Verdict verdict = verify(fabric, empty_tables(fabric));
  EXPECT_TRUE(verdict.clean());
  EXPECT_EQ(verdict.pairs, 0U);
}

TEST_F(Row, NoStepAtAll) {
  tables.steps.clear();
  EXPECT_TRUE(verify(fabric, tables).clean());
}

TEST_F(Row, ForwardingLoop) {
  set_entry(tables, 1, host_lid(fabric, 2), 2);
  const Finding finding = only();
  EXPECT_EQ(finding.kind, FindingKind::loop);
  EXPECT_EQ(finding.count, 2U);
  EXPECT_EQ(finding.message,
            "2 of 6 pairs are caught in a forwarding loop, such as `host 0` (0x0000000000900000) port 1 to "
            "LID 6 of `host 2` "
            "(0x0000000000900008) port 1, SL 0: `switch 0` (0x0000000000100000) port 2 -> `switch 1` "
            "(0x0000000000100008) port 2 -> `switch 0` (0x0000000000100000) again");
}

TEST_F(Row, LoopBehindAWayIn) {
  set_entry(tables, 0, host_lid(fabric, 0), 2);
  set_entry(tables, 1, host_lid(fabric, 0), 2);
  EXPECT_EQ(only().message,
            "2 of 6 pairs are caught in a forwarding loop, such as `host 1` (0x0000000000900004) port 1 to "
            "LID 4 of `host 0` "
            "(0x0000000000900000) port 1, SL 0: `switch 1` (0x0000000000100008) port 2 -> `switch 0` "
            "(0x0000000000100000) port 2 -> `switch 1` (0x0000000000100008) again");
  // The way of host 2 runs into that cycle.
  set_entry(tables, 1, host_lid(fabric, 0), 1);
  EXPECT_EQ(only().count, 2U);
}

// No packet of a host comes by, but switches send packets, too.
TEST_F(Row, LoopThatNoHostReaches) {
  test::Shape shape;
  shape.hosts = {1, 1, 0, 0};
  shape.cables = {{0, 1}, {1, 2}, {2, 3}};
  fabric = test::build(shape);
  tables = empty_tables(fabric);
  test::route_shortest(tables, fabric);
  set_entry(tables, 2, host_lid(fabric, 0), 2);
  set_entry(tables, 3, host_lid(fabric, 0), 1);
  EXPECT_EQ(only().kind, FindingKind::loop);
  EXPECT_EQ(only().message,
            "the entries for 1 LID lead in forwarding loops, such as LID 5 of `host 0` (0x0000000000900000) "
            "port 1: `switch 2` (0x0000000000100010) port 2 -> `switch 3` (0x0000000000100018) port 1 -> "
            "`switch 2` (0x0000000000100010) again");
}

TEST_F(Row, Vl15Drops) {
  fabric::Sl2VlMap drop{};
  drop.fill(15);
  tables.sl2vl = fabric::Sl2VlTables(std::vector<std::uint8_t>{2, 3, 3}, fabric::Sl2VlMap{});
  tables.sl2vl.set(SwitchId(1), PortNum(2), PortNum(3), tables.sl2vl.intern(drop));
  const Finding finding = only();
  EXPECT_EQ(finding.kind, FindingKind::dropped_by_vl);
  EXPECT_EQ(finding.count, 1U);
  EXPECT_EQ(finding.message,
            "1 of 6 pairs lose their packets for want of a VL, such as `host 0` (0x0000000000900000) port 1 "
            "to LID 6 "
            "of `host 2` (0x0000000000900008) port 1, SL 0: `switch 0` (0x0000000000100000) port 2, then "
            "`switch 1` "
            "(0x0000000000100008) maps SL 0 from port 2 to port 3 to VL 15, which drops it");
}

TEST_F(Row, VlThatTheLinkDoesNotHave) {
  tables.steps.front().sl.base = 5;
  EXPECT_TRUE(verify(fabric, tables).clean()) << "VL 5 of 15";
  EXPECT_EQ(only({.max_op_vls = 3}).message,
            "6 of 6 pairs lose their packets for want of a VL, such as `host 1` (0x0000000000900004) port 1 "
            "to LID 4 "
            "of `host 0` (0x0000000000900000) port 1, SL 5: `host 1` (0x0000000000900004) port 1 maps SL 5 "
            "to VL 5 of "
            "a link with 4 data VLs");

  fabric::FabricBuilder builder(fabric);
  builder.node(*builder.find(Guid(0x100010))).ports[2].vl_cap = 2;
  fabric = *std::move(builder).build();
  EXPECT_EQ(only().message,
            "4 of 6 pairs lose their packets for want of a VL, such as `host 2` (0x0000000000900008) port 1 "
            "to LID 4 "
            "of `host 0` (0x0000000000900000) port 1, SL 5: `switch 2` (0x0000000000100010) maps SL 5 from "
            "port 1 to "
            "port 2 to VL 5 of a link with 2 data VLs");
}

TEST_F(Row, Sl2VlTablesOfAnotherShapeDrop) {
  tables.sl2vl = fabric::Sl2VlTables(std::vector<std::uint8_t>{2, 2}, fabric::Sl2VlMap{});
  const Finding finding = only();
  EXPECT_EQ(finding.kind, FindingKind::dropped_by_vl);
  EXPECT_EQ(finding.count, 4U) << "all but the pairs of switches 0 and 1";
}

TEST_F(Row, HostWithoutLid) {
  fabric =
      *fabric::with_lids(fabric, std::vector<fabric::LidAssignment>{{fabric.end_ports()[0].port, Lid(4)},
                                                                    {fabric.end_ports()[1].port, Lid(5)}});
  const Finding finding = only();
  EXPECT_EQ(finding.kind, FindingKind::unreachable);
  EXPECT_EQ(finding.message,
            "1 CA or router port has no LID: `host 2` (0x0000000000900008) port 1 on `switch 2` "
            "(0x0000000000100010) "
            "port 1");
}

/// The cable between switches 1 and 2 is gone: 4 pairs no routing can reach, and one that it lost.
TEST(Findings, PairsThatNoCableJoinsAreCountedApart) {
  const fabric::Fabric fabric = test::build({.hosts = {1, 1, 1}, .cables = {{0, 1}}});
  fabric::RoutingTables tables = empty_tables(fabric);
  const auto lid = [&](std::size_t host) { return fabric.end_ports()[host].lid; };
  for (std::uint32_t s = 0; s < 3; ++s) set_entry(tables, s, lid(s), 1);
  set_entry(tables, 0, lid(1), 2);
  const Verdict verdict = verify(fabric, tables);
  ASSERT_EQ(verdict.findings.size(), 2U);
  EXPECT_EQ(verdict.findings[0].kind, FindingKind::unreachable);
  EXPECT_EQ(verdict.findings[0].count, 1U);
  EXPECT_EQ(verdict.findings[1].kind, FindingKind::disconnected);
  EXPECT_EQ(verdict.findings[1].count, 4U);
  EXPECT_EQ(verdict.findings[1].message,
            "4 of 6 pairs are in parts of the fabric that no cable joins, such as `host 2` "
            "(0x0000000000900008) port 1 to LID 4 of `host 0` (0x0000000000900000) port 1");
}

/// Switch 2 is cut off. Hosts on SL 0 lose nothing, and of LIDs of switches one pair is lost.
TEST(Findings, OtherCountsLeaveOutPairsThatNoCableJoins) {
  const fabric::Fabric fabric = test::build({.hosts = {1, 1, 1}, .cables = {{0, 1}}});
  fabric::RoutingTables tables = empty_tables(fabric);
  test::route_shortest(tables, fabric);
  const auto lid_of_switch = [&](std::uint32_t sw) {
    return fabric.port(fabric.port_id(SwitchId(sw), PortNum(0))).lid;
  };
  for (std::uint32_t s = 0; s < 3; ++s) set_entry(tables, s, lid_of_switch(s), 0);
  set_entry(tables, 0, lid_of_switch(1), 2);
  tables.steps.front().sl.base = 1;
  const Verdict verdict = verify(fabric, tables);
  EXPECT_EQ(verdict.switch_lids.pairs, 9U);
  EXPECT_EQ(verdict.switch_lids.lost_pairs, 1U);
  EXPECT_EQ(verdict.switch_lids.disconnected_pairs, 4U);
  const auto at_sl0 = without_path_sls(fabric, tables, verdict);
  ASSERT_TRUE(at_sl0);
  EXPECT_EQ(at_sl0->lost_pairs, 0U);
  EXPECT_TRUE(at_sl0->sound());
}

TEST_F(Row, AcceptedFindingsDoNotCount) {
  set_entry(tables, 1, host_lid(fabric, 2), 2);
  Verdict verdict = verify(fabric, tables);
  EXPECT_FALSE(verdict.clean());
  verdict.findings.front().accepted = true;
  EXPECT_TRUE(verdict.clean());
}

TEST(Findings, Names) {
  EXPECT_EQ(name(FindingKind::unreachable), "unreachable");
  EXPECT_EQ(name(FindingKind::dropped_by_vl), "dropped-by-vl");
  EXPECT_EQ(name(FindingKind::loop), "loop");
  EXPECT_EQ(name(FindingKind::credit_loop), "credit-loop");
  EXPECT_EQ(name(FindingKind::disconnected), "disconnected");
}

}  // namespace
}  // namespace rch::verify
