// The forms in which programs write tables, and what is wrong with damaged ones.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dumps/judgement.h"
#include "dumps/recognise.h"
#include "support/golden_case.h"
#include "support/small_fabrics.h"

namespace rch::dumps {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Read {
  std::optional<File> file;
  std::vector<std::string> findings;  ///< `rule: message`
};

Read read_text(const std::string& text, const std::string& name = "file") {
  SourceSet sources;
  Diagnostics diagnostics;
  Read result{read(sources, sources.add(name, text), diagnostics), {}};
  for (const Diagnostic& d : diagnostics.all())
    result.findings.push_back(fmt::format("{}: {}", d.rule->name, d.message));
  return result;
}

constexpr std::string_view kFdbs =
    "osm_ucast_mgr_dump_ucast_routes: Switch 0x0002c90200400000\n"
    "LID    : Port : Hops : Optimal\n"
    "0x0001 : UNREACHABLE\n"
    "0x000a : 003  : 00   : yes\n";

TEST(Unicast, IsReadAsOpenSmAndIbdiagnetWriteIt) {
  for (const std::string& text :
       {std::string(kFdbs), "# comment\n\n" + std::string(kFdbs),
        std::string("dump_ucast_routes: Switch 0x0002c90200400000\nPLFT_NUM: 0\nLID    : Port : Hops : "
                    "Optimal\n0x000A : 003  : "
                    "01   : No 2 hop path possible via port 7!\n"),
        std::string(
            "Unicast lids [0x0-0xa] of switch Lid 2 guid 0x0002c90200400000 (sw):\n  Lid  Out   Destination\n"
            "0x000a 003 : (Channel Adapter portguid 0x0002c90300010001: 'host 0x0002 009')\n1 valid lids "
            "dumped\n"),
        std::string("Unicast lids [0-10] of switch Lid 2 guid 0x0002c90200400000 ('Switch 0x1'):\r\n0x000a "
                    "003 # Switch portguid "
                    "0x0002c90300010001: 'x'\r\n10 lids dumped\r\n")}) {
    SCOPED_TRACE(text);
    const Read found = read_text(text);
    EXPECT_THAT(found.findings, IsEmpty());
    ASSERT_TRUE(found.file);
    const auto& dump = std::get<UnicastDump>(*found.file);
    ASSERT_EQ(dump.tables.size(), 1U);
    EXPECT_EQ(dump.tables[0].sw, Guid(0x0002c90200400000));
    for (std::size_t lid = 0; lid < dump.tables[0].ports.size(); ++lid)
      EXPECT_EQ(dump.tables[0].ports[lid], lid == 10 ? 3 : kNoPath) << lid;
    EXPECT_EQ(dump.owners.size(), text.find("portguid") == std::string::npos ? 0U : 1U);
  }
}

TEST(Unicast, WhatCannotBeReadIsAnError) {
  const std::string head = "Switch 0x0002c90200400000\nLID    : Port : Hops : Optimal\n";
  EXPECT_THAT(read_text(head + "0x0001 : 300  : 00   : yes\n").findings,
              ElementsAre(HasSubstr("tables-bad-entry")));
  EXPECT_THAT(read_text(head + "0xC001 : 003  : 00   : yes\n").findings,
              ElementsAre(HasSubstr("tables-bad-entry")));
  EXPECT_THAT(read_text(head + "0x0001 : 03x  : 00   : yes\n").findings,
              ElementsAre(HasSubstr("tables-bad-entry")));
  EXPECT_THAT(read_text(head + "0x0001 :\n").findings, ElementsAre(HasSubstr("tables-bad-entry")));
  EXPECT_THAT(read_text(head + "0x0001 : 003  : 0").findings, ElementsAre(HasSubstr("tables-truncated")));
  EXPECT_THAT(read_text("Switch 0xZZ\nLID    : Port : Hops : Optimal\n0x0001 : 003  : 00   : yes\n").findings,
              ElementsAre(HasSubstr("tables-bad-heading")));
  EXPECT_THAT(read_text("Unicast lids [0-3] of switch Lid 2\n0x0001 003\n").findings,
              ElementsAre(HasSubstr("tables-bad-heading")));
  EXPECT_THAT(read_text("not a table\n").findings, ElementsAre(HasSubstr("tables-unknown-file")));
}

TEST(Unicast, APrivateTableIsNotTakenForTheTable) {
  const Read found = read_text(
      std::string(kFdbs) + "\n" +
      "osm_ucast_mgr_dump_ucast_routes: Switch 0x0002c90200400000\nPLFT_NUM: 1\nLID    : Port : Hops : "
      "Optimal\n0x000a : 004  : 00   : yes\n");
  EXPECT_THAT(found.findings, ElementsAre(HasSubstr("tables-private")));
  const auto& dump = std::get<UnicastDump>(*found.file);
  ASSERT_EQ(dump.tables.size(), 1U);
  EXPECT_EQ(dump.tables[0].ports[10], 3);
}

TEST(Multicast, IsReadAsOpenSmAndDumpMftsWriteIt) {
  for (const std::string& text :
       {std::string("\nSwitch 0x0002c90200400000\nLID    : Out Port(s)\n0xC000 : 0x001  0x00B  0x024 \n"),
        std::string(
            "Multicast mlids [0xc000-0xc3ff] of switch DR path slid 0; dlid 0; 0,1 guid 0x0002c90200400000 "
            "(sw):\n"
            "            0                   1                   2                   3             \n"
            "     Ports: 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 \n MLid\n"
            "0xc000        x                   x                                                 x \n1 valid "
            "mlids dumped \n")}) {
    SCOPED_TRACE(text);
    const Read found = read_text(text);
    EXPECT_THAT(found.findings, IsEmpty());
    ASSERT_TRUE(found.file);
    const auto& dump = std::get<MulticastDump>(*found.file);
    ASSERT_EQ(dump.tables.size(), 1U);
    std::vector<unsigned> ports;
    for (const MulticastDump::Entry& entry : dump.tables[0].entries) {
      EXPECT_EQ(entry.mlid, Lid(0xC000));
      ports.push_back(entry.port);
    }
    EXPECT_THAT(ports, ElementsAre(1, 11, 36));
  }
  EXPECT_TRUE(read_text("", "x/opensm.mcfdbs").file);
  EXPECT_FALSE(read_text("", "x/opensm.fdbs").file);
  EXPECT_THAT(read_text("Switch 0x0002c90200400000\nLID    : Out Port(s)\n0x0001 : 0x001 \n").findings,
              ElementsAre(HasSubstr("tables-bad-entry")));
}

TEST(Sl2Vl, IsReadInBothForms) {
  const fabric::Sl2VlMap map{0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4, 5};
  const Read opensm = read_text(
      "Switch 0x0002c90200400000, base LID 2, \"sw\"\n#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 "
      "15\n#-----\n"
      "3   1   : 0  1  0  1  0  1  0  1  4  5  4  5  4  5  4  5 \n#-----\n\n");
  const Read ibdm = read_text("0x0002c90200400000 3 1 0x01 0x01 0x01 0x01 0x45 0x45 0x45 0x45\n");
  for (const Read* found : {&opensm, &ibdm}) {
    EXPECT_THAT(found->findings, IsEmpty());
    ASSERT_TRUE(found->file);
    const auto& rows = std::get<Sl2VlDump>(*found->file).rows;
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].port, Guid(0x0002c90200400000));
    EXPECT_EQ(rows[0].in, PortNum(3));
    EXPECT_EQ(rows[0].out, PortNum(1));
    EXPECT_EQ(rows[0].map, map);
  }
  EXPECT_THAT(read_text("0x0002c90200400000 3 1 0x01 0x01 0x01 0x01 0x45 0x45 0x45 0x145\n").findings,
              ElementsAre(HasSubstr("tables-bad-entry")));
}

TEST(Sl2Vl, OfIbdiagnet2AreReadAndNotConfirmed) {
  const std::string head = "# in, out, VLs\n0x0002c90200400000 3 1 ";
  for (const std::string& vls :
       {std::string("0x01 0x23 0x45 0x67 0x01 0x23 0x45 0x67"),
        std::string("0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7")}) {
    const Read found = read_text(head + vls + "\n", "ibdiagnet2.slvl");
    EXPECT_THAT(found.findings, ElementsAre(HasSubstr("form not confirmed")));
    ASSERT_TRUE(found.file);
    EXPECT_EQ(std::get<Sl2VlDump>(*found.file).rows.at(0).map,
              (fabric::Sl2VlMap{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7}));
  }
  for (const std::string& vls :
       {std::string("0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x10"),
        std::string("0x01 0x23 0x45 0x67 0x01 0x23 0x45 0x67 0x89"), std::string("0x01 0x23 0x45 0x67")})
    EXPECT_FALSE(read_text("#in out : 0\n" + head + vls + "\n").file) << vls;
}

TEST(PathSls, AreReadInAllForms) {
  for (const std::string& text :
       {std::string("Channel Adapter 0x0002c90300010001, base LID 1, port 1\n0x0005 : 3\n"),
        std::string("Channel Adapter 0x0002c90300010001, base LID 1, \"h\", port 1\n# LID  : SL : MTU : "
                    "RATE\n0x0004 : UNREACHABLE\n"
                    "0x0005 : 3  : 4   : 3   \n\n"),
        std::string("0x0002c90300010001 5 3\n")}) {
    SCOPED_TRACE(text);
    const Read found = read_text(text);
    EXPECT_THAT(found.findings, IsEmpty());
    ASSERT_TRUE(found.file);
    const auto& sources = std::get<PathSlDump>(*found.file).sources;
    ASSERT_EQ(sources.size(), 1U);
    EXPECT_EQ(sources[0].guid, Guid(0x0002c90300010001));
    ASSERT_EQ(sources[0].levels.size(), 6U);
    EXPECT_EQ(sources[0].levels[5], 3);
    EXPECT_EQ(sources[0].levels[4], PathSlDump::kUnknown);
  }
  EXPECT_THAT(read_text("0x0002c90300010001 5 16\n").findings, ElementsAre(HasSubstr("tables-bad-entry")));
}

std::string record(unsigned lid, unsigned port, unsigned block, const std::string& first) {
  std::string text = fmt::format(
      "PKeyTableRecord dump:\n\t\tLID........................{}\n\t\tPort.......................{}\n"
      "\t\tBlock......................{}\n\t\tPKey Table:\n",
      lid, port, block);
  for (int row = 0; row < 4; ++row) {
    text += "\t\t" + (row == 0 ? first : std::string("0x0000"));
    for (int slot = 1; slot < 8; ++slot) text += " 0x0000";
    text += "\n";
  }
  return text + "\n";
}

TEST(PKeys, AreReadByPartitionAndByPort) {
  const std::string dashes(80, '-');
  const Read groups = read_text(
      "GROUP PKey:0x0001 Hosts:1\n   Full a guid=0x1 b/P1 lid=0x0001 guid=0x0002c90300010001 dev=4099\n" +
      dashes +
      "\nGROUP PKey:0x7fff Hosts:2\n   Part h/P1 lid=0x0003 guid=0x0002c90300010005 dev=4099\n"
      "   Full h/P1 lid=0x0001 guid=0x0002c90300010001 dev=4099\n" +
      dashes + "\n");
  EXPECT_THAT(groups.findings, IsEmpty());
  ASSERT_TRUE(groups.file);
  const auto& by_group = std::get<PKeyDump>(*groups.file);
  ASSERT_EQ(by_group.rows.size(), 3U);
  EXPECT_EQ(by_group.rows[0].guid, Guid(0x0002c90300010001));
  EXPECT_THAT(by_group.keys, ElementsAre(0x8001, 0x7FFF, 0xFFFF));

  const Read records = read_text(record(2, 1, 0, "0xffff") + record(2, 1, 1, "0x8001"));
  EXPECT_THAT(records.findings, IsEmpty());
  ASSERT_TRUE(records.file);
  const auto& by_port = std::get<PKeyDump>(*records.file);
  ASSERT_EQ(by_port.rows.size(), 2U);
  EXPECT_EQ(by_port.rows[1].lid, Lid(2));
  EXPECT_EQ(by_port.rows[1].number, PortNum(1));
  EXPECT_EQ(by_port.of(by_port.rows[1]).size(), 32U);
  EXPECT_EQ(by_port.of(by_port.rows[1])[0], 0x8001);
}

TEST(PKeys, TablesByPortAreReadAndNotConfirmed) {
  const Read found = read_text(
      "# header\nPort h/P1 lid=0x0003 guid=0x0002c90300010001\n  0: 0xffff (Full)\n  1: 0x0001 full\n"
      "  4, 0x0002 limited\n-----\nPort sw/P3 GUID: 0x0002c90300010005\n  0: 0x7fff\n",
      "ibdiagnet2.pkey");
  EXPECT_THAT(found.findings, ElementsAre(HasSubstr("form not confirmed")));
  ASSERT_TRUE(found.file);
  const auto& dump = std::get<PKeyDump>(*found.file);
  ASSERT_EQ(dump.rows.size(), 2U);
  EXPECT_EQ(dump.rows[0].guid, Guid(0x0002c90300010001));
  EXPECT_THAT(dump.of(dump.rows[0]), ElementsAre(0xFFFF, 0x8001, 0x0002));
  EXPECT_THAT(dump.of(dump.rows[1]), ElementsAre(0x7FFF));
  const std::string head = "Port guid=0x0002c90300010001\n  0: 0xffff\n";
  for (const std::string& line : {std::string("what else\n"), std::string("  0: 0x8001\n"),
                                  std::string("  1: 0x8001 limited\n"), std::string("  1: 0x10000\n")})
    EXPECT_THAT(read_text(head + line, "ibdiagnet2.pkey").findings,
                ElementsAre(HasSubstr("form not confirmed"), HasSubstr("tables-bad-entry")))
        << line;
  EXPECT_THAT(read_text("Ports\n", "ibdiagnet2.pkey").findings,
              ElementsAre(HasSubstr("tables-unknown-file")));
}

TEST(PKeys, WhatIsCutOffOrMixedIsAnError) {
  EXPECT_THAT(read_text("GROUP PKey:0x0001 Hosts:2\n   Full h/P1 lid=0x0001 guid=0x0002c90300010001 dev=1\n")
                  .findings,
              ElementsAre(HasSubstr("tables-truncated")));
  EXPECT_THAT(read_text("GROUP PKey:0x0001 Hosts:0\n   Full h/P1 lid=0x0001 guid=0x0002c90300010001 dev=1\n")
                  .findings,
              ElementsAre(HasSubstr("tables-bad-entry")));
  EXPECT_THAT(read_text(record(2, 1, 0, "0xffff") + record(2, 1, 2, "0x8001")).findings,
              ElementsAre(HasSubstr("block 2 of LID 2 port 1 is here, and block 1 is not")));
  EXPECT_THAT(read_text("GROUP PKey:0xffff Hosts:0\n").findings,
              ElementsAre(HasSubstr("tables-bad-heading")));
  const std::string whole = record(2, 1, 0, "0xffff");
  EXPECT_THAT(
      read_text(whole.substr(0, whole.find("0x0000 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000\n\t\t") + 50))
          .findings,
      testing::Contains(HasSubstr("tables-truncated")));
  EXPECT_THAT(read_text(whole + whole).findings, IsEmpty());
  EXPECT_THAT(read_text(whole + record(2, 1, 0, "0x8001")).findings, ElementsAre(HasSubstr("tables-twice")));
}

constexpr std::string_view kSmdb =
    "START_SM\nPortGUID, RoutingEngine\n0x0002c90300010001, updn\nEND_SM\n\nSTART_SMS\nPortGUID, "
    "State\nEND_SMS\n"
    "START_SWITCHES\nRank , NodeGUID\n0, 0x0000000000100010\n1, 0x0000000000100000\nEND_SWITCHES\n";

TEST(SmRecords, RanksAndEngineAreReadAndNotConfirmed) {
  const Read found = read_text(std::string(kSmdb), "opensm-smdb.dump");
  EXPECT_THAT(found.findings, ElementsAre(HasSubstr("form not confirmed")));
  ASSERT_TRUE(found.file);
  const auto& dump = std::get<SmDump>(*found.file);
  EXPECT_EQ(dump.engine, "updn");
  ASSERT_EQ(dump.ranks.size(), 2U);
  EXPECT_EQ(dump.ranks[1].rank, 1U);
  EXPECT_THAT(read_text("START_SM\nRoutingEngine\nupdn\nftree\nEND_SM\n").findings,
              testing::Contains(HasSubstr("tables-twice")));
  EXPECT_THAT(
      read_text("START_SMS\nPortGUID\nEND_SMS\nSTART_SWITCHES\nNodeGUID,Rank\n0x1,high\nEND_SWITCHES\n")
          .findings,
      testing::Contains(HasSubstr("db-csv-bad-value")));
  EXPECT_THAT(read_text("START_SM\nRoutingEngine\nupdn\n").findings,
              testing::Contains(HasSubstr("tables-truncated")));
}

/// Two leaves with two hosts each and a spine, with LIDs.
struct Small {
  fabric::Fabric fabric = test::build(test::clos(2, 1, 2));
  SourceSet sources;
  Diagnostics diagnostics;
  std::vector<File> files;

  void add(const std::string& text) {
    auto file = read(sources, sources.add("file", text), diagnostics);
    ASSERT_TRUE(file);
    files.push_back(std::move(*file));
  }
  std::vector<std::string> rules() const {
    std::vector<std::string> names;
    for (const Diagnostic& d : diagnostics.all()) names.emplace_back(d.rule->name);
    return names;
  }
  std::string table(std::uint32_t sw, const std::string& entries) const {
    return fmt::format("Switch {}\nLID    : Port : Hops : Optimal\n{}", fabric.node(SwitchId(sw)).guid,
                       entries);
  }
};

TEST(Observed, TwoTablesOfASwitchThatDifferAreAnError) {
  Small small;
  small.add(small.table(0, "0x0001 : 001  : 00   : yes\n") + small.table(0, "0x0001 : 001  : 00   : yes\n") +
            small.table(1, "") + small.table(2, ""));
  EXPECT_TRUE(observe(small.fabric, small.files, small.diagnostics));
  small.add(small.table(0, "0x0001 : 002  : 00   : yes\n"));
  EXPECT_FALSE(observe(small.fabric, small.files, small.diagnostics));
  EXPECT_THAT(small.rules(), ElementsAre("tables-twice"));
}

TEST(Observed, RanksAreThoseOfTheSwitches) {
  Small small;
  small.add(small.table(0, "") + small.table(1, "") + small.table(2, ""));
  small.add(std::string(kSmdb));
  const auto observed = observe(small.fabric, small.files, small.diagnostics);
  ASSERT_TRUE(observed);
  EXPECT_EQ(observed->engine, "updn");
  EXPECT_THAT(observed->ranks, ElementsAre(1, Observed::kNoRank, 0));
  small.add("START_SMS\nPortGUID\nEND_SMS\nSTART_SWITCHES\nNodeGUID,Rank\n0x100010,2\nEND_SWITCHES\n");
  EXPECT_FALSE(observe(small.fabric, small.files, small.diagnostics));
  EXPECT_THAT(small.rules(), testing::Contains("tables-twice"));
}

TEST(Observed, PKeysOfPortsAreThoseOfTheFabric) {
  Small small;
  const fabric::EndPort& host = small.fabric.end_ports().front();
  const Lid of_switch = small.fabric.port(small.fabric.port_id(host.sw, PortNum(0))).lid;
  small.add(small.table(0, "") + small.table(1, "") + small.table(2, ""));
  small.add(record(host.lid.value, 1, 0, "0x8001") + record(of_switch.value, host.attach.value, 0, "0x8002") +
            record(of_switch.value, 0, 0, "0x7fff") + record(of_switch.value, 200, 0, "0x8003") +
            record(999, 1, 0, "0x8004"));
  const auto observed = observe(small.fabric, small.files, small.diagnostics);
  ASSERT_TRUE(observed);
  EXPECT_THAT(small.rules(), ElementsAre("tables-unknown-port", "tables-unknown-port"));
  ASSERT_TRUE(observed->pkeys);
  EXPECT_FALSE(observed->knows_checks);
  EXPECT_THAT(observed->pkeys->of(host.port), ElementsAre(0x8001));
  EXPECT_THAT(observed->pkeys->of(small.fabric.port_id(host.sw, host.attach)), ElementsAre(0x8002));
  EXPECT_THAT(observed->pkeys->of(small.fabric.port_id(host.sw, PortNum(0))), ElementsAre(0x7FFF));
}

TEST(Observed, PKeysOfTwoMomentsAreAnError) {
  Small small;
  const fabric::EndPort& host = small.fabric.end_ports().front();
  const auto group = [&](const std::string& membership) {
    return fmt::format("GROUP PKey:0x0001 Hosts:1\n   {} h/P1 lid=0x0003 guid={} dev=1\n", membership,
                       small.fabric.port(host.port).guid);
  };
  small.add(small.table(0, "") + small.table(1, "") + small.table(2, ""));
  small.add(record(host.lid.value, 1, 0, "0x8001"));
  small.add(group("Full"));
  EXPECT_TRUE(observe(small.fabric, small.files, small.diagnostics));
  EXPECT_THAT(small.rules(), IsEmpty());
  small.add(group("Part"));
  EXPECT_FALSE(observe(small.fabric, small.files, small.diagnostics));
  EXPECT_THAT(small.rules(), ElementsAre("tables-twice"));
}

// The LID belonged to another port when the file was written.
TEST(Observed, PKeysOfAPortWithAnotherNumberAreNotThoseOfTheLid) {
  Small small;
  const fabric::EndPort& host = small.fabric.end_ports().front();
  small.add(small.table(0, "") + small.table(1, "") + small.table(2, ""));
  small.add(record(host.lid.value, 2, 0, "0x8001"));
  const auto observed = observe(small.fabric, small.files, small.diagnostics);
  ASSERT_TRUE(observed);
  EXPECT_THAT(small.rules(), ElementsAre("tables-unknown-port"));
  EXPECT_FALSE(observed->pkeys);
}

TEST(Observed, TablesOfAnotherDayAreAnError) {
  Small small;
  const Lid lid = small.fabric.end_ports().front().lid;
  small.add(fmt::format(
      "Unicast lids [0-10] of switch Lid 2 guid {} ('sw'):\n0x{:04x} 001 # Channel Adapter portguid "
      "0x0000000000000007: 'x'\n",
      small.fabric.node(SwitchId(0)).guid, lid));
  EXPECT_FALSE(observe(small.fabric, small.files, small.diagnostics));
  EXPECT_THAT(small.rules(), testing::Contains("tables-owner-differs"));
}

TEST(Observed, WhatIsMissingIsSaid) {
  Small small;
  small.add(small.table(0, "0x0001 : 001  : 00   : yes\n0x00ff : 001  : 00   : yes\n"));
  small.add("Switch 0x0000000000000007\nLID    : Port : Hops : Optimal\n0x0001 : 001  : 00   : yes\n");
  const auto observed = observe(small.fabric, small.files, small.diagnostics);
  ASSERT_TRUE(observed);
  EXPECT_THAT(small.rules(), testing::UnorderedElementsAre("tables-unknown-switch", "tables-missing-switch",
                                                           "tables-missing-switch", "tables-unowned-lids"));
  const Judgement judged = judge(*observed);
  EXPECT_FALSE(judged.proven());
  EXPECT_FALSE(judged.verdict.clean());
}

TEST(Observed, WithoutForwardingTablesNothingIsJudged) {
  Small small;
  small.add("0x0002c90300010001 5 3\n");
  EXPECT_FALSE(observe(small.fabric, small.files, small.diagnostics));
  EXPECT_THAT(small.rules(), testing::Contains("tables-no-unicast"));
}

}  // namespace
}  // namespace rch::dumps
