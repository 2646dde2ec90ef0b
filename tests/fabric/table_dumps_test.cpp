// Readers of OpenSM's table dumps.

#include "fabric/table_dumps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/golden_case.h"

namespace rch::fabric {
namespace {

using testing::ElementsAre;

template <class Dump>
struct ReadResult {
  std::optional<Dump> dump;
  std::string findings;
};

template <class Dump>
ReadResult<Dump> read(std::optional<Dump> (*reader)(const SourceSet&, SourceId, Diagnostics&),
                      std::string text) {
  SourceSet sources;
  Diagnostics diagnostics;
  ReadResult<Dump> result;
  result.dump = reader(sources, sources.add("dump", std::move(text)), diagnostics);
  for (const Diagnostic& d : diagnostics.all()) result.findings += render(d, sources);
  return result;
}

TEST(TableDumps, Lfts) {
  const auto [dump, findings] =
      read(read_lft_dump, test::golden_text("cases/multi/minhop.lmc1/opensm-lfts.dump"));
  ASSERT_TRUE(dump) << findings;
  EXPECT_EQ(findings, "");
  ASSERT_EQ(dump->tables.size(), 4U);
  const LftDump::Table& table = dump->tables.front();
  EXPECT_EQ(fmt::format("{}", table.sw), "0x0002c90200400000");
  const LftDump::Entry& entry = table.entries.front();
  EXPECT_EQ(entry.line, 2U);
  EXPECT_NE(entry.owner, Guid{});
}

TEST(TableDumps, LftsOfInfinibandDiags) {
  const auto [dump, findings] = read(read_lft_dump, test::golden_text("diags/multi-lmc1.dump_lfts.txt"));
  ASSERT_TRUE(dump) << findings;
  EXPECT_EQ(findings, "");
  EXPECT_EQ(dump->tables.size(), 4U);
  // `path #2 out of 2: portguid 0x...)`: no blank before the word, and no translation, as OpenSM has it.
  EXPECT_TRUE(
      std::ranges::any_of(dump->tables.front().entries, [](const auto& e) { return e.owner == Guid{}; }));
  EXPECT_TRUE(
      std::ranges::any_of(dump->tables.front().entries, [](const auto& e) { return e.owner != Guid{}; }));
}

/// Heads and rows of files that people really have: one table of two entries.
struct SeenDump {
  const char* where;
  const char* head;
  const char* first;
};

constexpr SeenDump kSeenDumps[] = {
    {"OpenSM of today", "Unicast lids [0-2] of switch Lid 1 guid 0x0000000000000005 ('leaf 1'):",
     "0x0001 000 # Switch portguid 0x0000000000000005: 'leaf 1'"},
    {"a checker of 2010, description without quotes",
     "Unicast lids [0x0-0x6b] of switch Lid 1 guid 0x0000000000000005 (Description):",
     "0x0001 000 : (Switch portguid 0x0000000000000005: 'leaf 1')"},
    {"dump_lfts by directed routes, names of a managed chassis",
     "Unicast lids [0x0-0x1400] of switch DR path slid 0; dlid 0; 0,1,19,32 guid 0x0000000000000005 "
     "(MF0;leaf-1:SX6036/U1):",
     "0x0001 000 : (Switch portguid 0x0000000000000005: 'MF0;leaf-1:SX6036/U1')"},
    {"a script that makes tables, without LID and with a blank behind the GUID",
     "Unicast lids [0x0-0xaa] of switch guid 0x0000000000000005 :", "0x0001 000"},
    {"ibroute in a terminal, with what ibsim says",
     "ibwarn: [42] sim_connect: attached as client 1 at node \"leaf 1\"\n"
     "Unicast lids [0x0-0x5] of switch Lid 1 guid 0x0000000000000005 (leaf 1):\n"
     "  Lid  Out   Destination\n       Port     Info ",
     "0x0001 000 : (Switch portguid 0x0000000000000005: 'leaf 1')"},
    {"upper case, as a spreadsheet leaves it",
     "Unicast lids [0x0-0x5] of switch Lid 1 guid 0x0000000000000005 ('LEAF 1'):",
     "0x0001 000 : (Switch portguid 0x0000000000000005: 'LEAF 1')"},
};

TEST(TableDumps, LftsThatWereSeen) {
  for (const SeenDump& seen : kSeenDumps) {
    const auto [dump, findings] =
        read(read_lft_dump, fmt::format("{}\n{}\n0x0002 003 : (Channel Adapter portguid 0x0000000000000011: "
                                        "'node 1 HCA-1')\n2 valid lids dumped \n",
                                        seen.head, seen.first));
    ASSERT_TRUE(dump) << seen.where << findings;
    EXPECT_EQ(findings, "") << seen.where;
    ASSERT_EQ(dump->tables.size(), 1U) << seen.where;
    EXPECT_EQ(dump->tables[0].sw, Guid(5)) << seen.where;
    ASSERT_EQ(dump->tables[0].entries.size(), 2U) << seen.where;
    EXPECT_EQ(dump->tables[0].entries[1].lid, Lid(2)) << seen.where;
    EXPECT_EQ(dump->tables[0].entries[1].port, 3U) << seen.where;
    EXPECT_EQ(dump->tables[0].entries[1].owner, Guid(0x11)) << seen.where;
  }
}

/// OpenSM wants a blank behind the GUID, too, and drops the whole file without it.
TEST(TableDumps, AColonAtTheGuidOfASwitch) {
  const auto [dump, findings] =
      read(read_lft_dump, "Unicast lids [0x0-0xaa] of switch guid 0x0000000000000005:\n0x0001 000\n");
  EXPECT_FALSE(dump);
  EXPECT_THAT(findings, testing::HasSubstr("` guid 0x…` is expected in this line"));
}

TEST(TableDumps, Hops) {
  const auto [dump, findings] =
      read(read_hop_dump,
           "Switch: guid 0x0000000000000005\n0x0001: 02 ff 02 # portguid 0x0000000000000011\n"
           " 0x0002 00\n# 0x0003: 01\n");
  ASSERT_TRUE(dump) << findings;
  ASSERT_EQ(dump->tables.size(), 1U);
  ASSERT_EQ(dump->tables[0].rows.size(), 2U);
  EXPECT_THAT(dump->tables[0].rows[0].hops, ElementsAre(2, 255, 2));
  EXPECT_EQ(dump->tables[0].rows[0].owner, Guid(0x11));
  EXPECT_THAT(dump->tables[0].rows[1].hops, ElementsAre(0));
  EXPECT_EQ(dump->tables[0].rows[1].owner, Guid{});
}

TEST(TableDumps, MulticastTablesAreLeftOut) {
  const auto [dump, findings] =
      read(read_lft_dump,
           "Unicast lids [0-3] of switch Lid 1 guid 0x5 ('a'):\n0x0001 001\n"
           "Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x5 ('a'):\n0xc000 001\n");
  ASSERT_TRUE(dump);
  ASSERT_EQ(dump->tables.size(), 1U);
  EXPECT_EQ(dump->tables[0].entries.size(), 1U);
  EXPECT_EQ(findings, R"(dump:3:1: warning: this is a table of multicast LIDs: it is not used [dump-multicast]
    3 | Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x5 ('a'):
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
)");
}

TEST(TableDumps, MistakesAreAllReported) {
  const auto [dump, findings] = read(read_lft_dump,
                                     "Unicast lids [0-3] of switch Lid 1 guid 5 ('a'):\n"
                                     "Unicast lids [0-3] of switch Lid 1 guid 0x5 ('a'):\n"
                                     "0x12345 001\n0x0001 x\n0x0002\n0x0003 004 #\n0x0004 00");
  EXPECT_FALSE(dump);
  EXPECT_EQ(findings, R"(dump:1:1: error: ` guid 0x…` is expected in this line [dump-bad-switch]
    1 | Unicast lids [0-3] of switch Lid 1 guid 5 ('a'):
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
dump:3:1: error: a LID is expected here [dump-bad-entry]
    3 | 0x12345 001
      | ^~~~~~~
dump:4:8: error: a port number is expected here [dump-bad-entry]
    4 | 0x0001 x
      |        ^
dump:5:1: error: a LID is expected here [dump-bad-entry]
    5 | 0x0002
      | ^~~~~~
dump:7:1: error: the last line has no line end, so the file may be cut short [fabric-truncated]
    7 | 0x0004 00
      | ^~~~~~~~~
      = hint: write the file again; if it is complete, end its last line
)");
}

TEST(TableDumps, HopCountsThatAreNone) {
  const auto [dump, findings] = read(read_hop_dump, "Switch: guid 0x5\n0x0001: 01 100 gg\n");
  EXPECT_FALSE(dump);
  EXPECT_EQ(findings, R"(dump:2:12: error: a hop count in hexadecimal is expected here [dump-bad-entry]
    2 | 0x0001: 01 100 gg
      |            ^~~
)");
}

TEST(TableDumps, FileWithoutTables) {
  const auto [dump, findings] = read(read_hop_dump, "Unicast lids [0-3] of switch Lid 1 guid 0x5 ('a'):\n");
  EXPECT_FALSE(dump);
  EXPECT_EQ(findings, R"(dump:1:1: error: no line begins with `Switch` [dump-empty]
    1 | Unicast lids [0-3] of switch Lid 1 guid 0x5 ('a'):
      | ^
)");
}

}  // namespace
}  // namespace rch::fabric
