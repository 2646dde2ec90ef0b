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
