// OpenSM's guid2lid: read, damaged, merged with a fabric, written.

#include "fabric/lid_records.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "fabric/fabric_builder.h"
#include "support.h"

namespace rch::fabric::test {
namespace {

struct Lids {
  LidRecords records;
  std::string findings;
};

Lids read_lids(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  const SourceId source = sources.add("guid2lid", text);
  Lids read{read_guid2lid(sources, source, diagnostics), {}};
  for (const Diagnostic& d : diagnostics.all()) read.findings += render(d, sources);
  return read;
}

LidRange range(unsigned first, unsigned last) {
  return {Lid(static_cast<std::uint16_t>(first)), Lid(static_cast<std::uint16_t>(last))};
}

LidRecords records(std::initializer_list<std::pair<std::uint64_t, LidRange>> list) {
  LidRecords out;
  for (const auto& [guid, lids] : list) EXPECT_TRUE(out.add(Guid(guid), lids));
  return out;
}

TEST(LidRecords, FilesOfOpenSmAreReadAndWrittenAsTheyAre) {
  std::size_t read = 0;
  for (const auto& folder : golden_cases()) {
    const std::string fabric = folder.parent_path().filename(), run = folder.filename();
    const std::string text = golden_text("cases/" + fabric + "/" + run + "/guid2lid");
    const Lids lids = read_lids(text);
    EXPECT_EQ(lids.findings, "");
    EXPECT_EQ(lids.records.all().size() * 2,
              static_cast<std::size_t>(std::ranges::count(text, '\n')));  // each with a blank line
    const std::string written = write_guid2lid(lids.records);
    EXPECT_EQ(written.size(), text.size());  // OpenSM's order is that of a hash table
    EXPECT_EQ(read_lids(written).records, lids.records);
    ++read;
  }
  EXPECT_GT(read, 50U);
}

TEST(LidRecords, OfADamagedFileEveryLineThatCanBeIsKept) {
  const Lids lids = read_lids(
      "# restored from a backup\n"
      "\n"
      "0x0000000000100001 0x0004 0x0005\n"
      "\n"
      "0x0000000000100002 0x0005 0x0006\n"
      "\n"
      "0x0000000000100001 0x0008 0x0009\n"
      "\n"
      "0x0000000000100003 7 7 # a comment\n"
      "\n"
      "0x0000000000100004 0x0000 0x0001\n"
      "\n"
      "0x0000000000100005 0x0009 0x0008\n"
      "\n"
      "0x0000000000100006 0xbfff 0xc000\n"
      "\n"
      "0x0000000000100007 0x0010 0x0010 spine\n"
      "\n"
      "0x000000000010000");
  EXPECT_EQ(lids.records,
            records({{0x100001, range(4, 5)}, {0x100003, range(7, 7)}, {0x100007, range(16, 16)}}));
  EXPECT_EQ(lids.findings,
            R"(guid2lid:11:1: warning: 0 to 1 is no range of unicast LIDs [guid2lid-bad-record]
   11 | 0x0000000000100004 0x0000 0x0001
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
guid2lid:13:1: warning: 9 to 8 is no range of unicast LIDs [guid2lid-bad-record]
   13 | 0x0000000000100005 0x0009 0x0008
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
guid2lid:15:1: warning: 49151 to 49152 is no range of unicast LIDs [guid2lid-bad-record]
   15 | 0x0000000000100006 0xbfff 0xc000
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
guid2lid:17:34: warning: text behind the LIDs is not read [guid2lid-bad-record]
   17 | 0x0000000000100007 0x0010 0x0010 spine
      |                                  ^~~~~
guid2lid:19:1: warning: this line is no port GUID with its first and its last LID [guid2lid-bad-record]
   19 | 0x000000000010000
      | ^~~~~~~~~~~~~~~~~
guid2lid:5:1: warning: LIDs 5 to 6 overlap those of port 0x0000000000100001 [guid2lid-conflict]
    5 | 0x0000000000100002 0x0005 0x0006
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
guid2lid:3:1: this one counts, unless the port holds LID 5
    3 | 0x0000000000100001 0x0004 0x0005
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
guid2lid:7:1: warning: port 0x0000000000100001 has LIDs already [guid2lid-conflict]
    7 | 0x0000000000100001 0x0008 0x0009
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
guid2lid:3:1: this one counts, unless the port holds LID 8
    3 | 0x0000000000100001 0x0004 0x0005
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
)");
}

// As OpenSM 3.3.23 reads them; findings/guid2lid-text shows it.
TEST(LidRecords, RecordsThatOpenSmDoesNotFindComeSecond) {
  const Lids lids = read_lids(
      "0x100001 0x0010 0x0010\n"
      "\n"
      "0x0000000000100001 0x0007 0x0007\n"
      "0x0000000000100003 0x0009 0x0009\n"
      "\n"
      " 0x0000000000100005 0x000b 0x000b\n");
  EXPECT_EQ(lids.records,
            records({{0x100001, range(7, 7)}, {0x100003, range(9, 9)}, {0x100005, range(11, 11)}}));
  EXPECT_EQ(lids.findings,
            R"(guid2lid:1:1: warning: OpenSM does not find this record [guid2lid-hidden-record]
    1 | 0x100001 0x0010 0x0010
      | ^~~~~~~~~~~~~~~~~~~~~~
      = hint: OpenSM looks for `0x` and 16 lower-case digits
guid2lid:1:1: warning: port 0x0000000000100001 has LIDs already [guid2lid-conflict]
    1 | 0x100001 0x0010 0x0010
      | ^~~~~~~~~~~~~~~~~~~~~~
guid2lid:3:1: this one counts, unless the port holds LID 16
    3 | 0x0000000000100001 0x0007 0x0007
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
guid2lid:4:1: warning: OpenSM does not find this record [guid2lid-hidden-record]
    4 | 0x0000000000100003 0x0009 0x0009
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
      = hint: OpenSM takes a line without an empty line before it for a part of the record above
guid2lid:6:1: warning: OpenSM does not find this record [guid2lid-hidden-record]
    6 |  0x0000000000100005 0x000b 0x000b
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
      = hint: OpenSM reads no further than a paragraph that begins with a blank
)");
  // A CR makes an empty line one that is not empty.
  const Lids crlf = read_lids("0x0000000000100001 0x0007 0x0007\r\n\r\n0x0000000000100003 0x0009 0x0009\r\n");
  EXPECT_EQ(crlf.records, records({{0x100001, range(7, 7)}, {0x100003, range(9, 9)}}));
  EXPECT_EQ(crlf.findings.find("guid2lid:3:1: warning: OpenSM does not find this record"), 0U)
      << crlf.findings;
}

TEST(LidRecords, AFileWithoutEmptyLinesIsOneFinding) {
  const Lids lids = read_lids(
      "0x0000000000100001 0x0007 0x0007\n0x0000000000100003 0x0009 0x0009\n"
      "0x0000000000100005 0x000b 0x000b\n0x0000000000100007 0x000d 0x000d\n");
  EXPECT_EQ(lids.records.all().size(), 4U);
  EXPECT_EQ(lids.findings,
            R"(guid2lid:2:1: warning: OpenSM does not find this record, nor 2 more [guid2lid-hidden-record]
    2 | 0x0000000000100003 0x0009 0x0009
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
      = hint: OpenSM takes a line without an empty line before it for a part of the record above
)");
}

/// Switch 0x200000 with the hosts `a` and `b`, ports 0x100001 and 0x100003, which hold these LIDs.
Fabric pair_with(unsigned a, unsigned b) {
  const Fabric plain = read_text(
                           "Switch 2 \"s\"\n[1] \"a\"[1]\n[2] \"b\"[1]\n\nCa 1 \"a\"\n[1] \"s\"[1]\n\n"
                           "Ca 1 \"b\"\n[1] \"s\"[2]\n")
                           .fabric.value();
  const std::vector<LidAssignment> lids{
      {*plain.find_port(Guid(0x100001)), Lid(static_cast<std::uint16_t>(a)), 0},
      {*plain.find_port(Guid(0x100003)), Lid(static_cast<std::uint16_t>(b)), 0}};
  return *with_lids(plain, lids);
}

struct Settled {
  LidRecords records;
  std::vector<std::string> choices;
};
Settled settle(const std::string& text, const Fabric& fabric) {
  Settled out;
  out.records = read_lids(text).records.settled(fabric, out.choices);
  return out;
}

TEST(LidRecords, OfRecordsThatContradictEachOtherTheOneWithTheHeldLidCounts) {
  const std::string two = "0x0000000000100001 0x0007 0x0007\n\n0x0000000000100001 0x0009 0x0009\n\n";
  const Settled live = settle(two, pair_with(9, 2));
  EXPECT_EQ(live.records, records({{0x100001, range(9, 9)}}));
  EXPECT_EQ(live.choices,
            std::vector<std::string>{"port 0x0000000000100001 holds LID 9: of the LIDs 7 and 9 in "
                                     "guid2lid it keeps this one"});
  for (const unsigned lid : {7U, 3U}) {
    const Settled first = settle(two, pair_with(lid, 2));
    EXPECT_EQ(first.records, records({{0x100001, range(7, 7)}}));
    EXPECT_TRUE(first.choices.empty());
  }
  const std::string shared = "0x0000000000100001 0x0007 0x0007\n\n0x0000000000100003 0x0007 0x0007\n\n";
  const Settled second = settle(shared, pair_with(2, 7));
  EXPECT_EQ(second.records, records({{0x100003, range(7, 7)}}));
  EXPECT_EQ(second.choices,
            std::vector<std::string>{"port 0x0000000000100003 holds LID 7, which guid2lid names for "
                                     "port 0x0000000000100001 too: it keeps it"});
  EXPECT_EQ(settle(shared, pair_with(7, 2)).records, records({{0x100001, range(7, 7)}}));
}

TEST(LidRecords, ARecordThatOpenSmDoesNotFindMovesNoPortThatHoldsALid) {
  const std::string text = "0x100001 0x0010 0x0010\n\n";
  const Settled live = settle(text, pair_with(7, 2));
  EXPECT_EQ(live.records, records({}));
  EXPECT_EQ(live.choices, std::vector<std::string>{
                              "port 0x0000000000100001 holds LID 7: guid2lid names LID 16 in a record that "
                              "OpenSM does not find, which is not used"});
  for (const unsigned lid : {16U, 0U}) {
    const Settled used = settle(text, pair_with(lid, 2));
    EXPECT_EQ(used.records, records({{0x100001, range(16, 16)}}));
    EXPECT_TRUE(used.choices.empty());
  }
}

TEST(LidRecords, WhatAFileLeavesOpenIsClosedByThePortsOfAFabric) {
  LidRecords known = read_lids("0x0000000000100001 0x0007 0x0007\n\n0x100001 0x0010 0x0010\n\n").records;
  EXPECT_TRUE(known.take_over(pair_with(7, 9)));
  std::vector<std::string> choices;
  EXPECT_EQ(known.settled(pair_with(16, 9), choices),
            records({{0x100001, range(7, 7)}, {0x100003, range(9, 9)}}));
  EXPECT_TRUE(choices.empty());
  EXPECT_FALSE(known.take_over(pair_with(7, 9)));
}

TEST(LidRecords, PortsOfAFabricTakeTheLidsOfOthers) {
  LidRecords known = records({{0x100001, range(2, 2)}, {0x500000, range(3, 4)}, {0x600000, range(9, 9)}});
  const Fabric plain = read_text("Switch 2 \"s\"\n[1] \"a\"[1]\n\nCa 1 \"a\"\n[1] \"s\"[1]\n").fabric.value();
  const std::vector<LidAssignment> lids{{*plain.find_port(Guid(0x100001)), Lid(4), 0},
                                        {*plain.find_port(Guid(0x200000)), Lid(1), 0}};
  const Fabric fabric = *with_lids(plain, lids);
  EXPECT_TRUE(known.take_over(fabric));
  EXPECT_EQ(known, records({{0x100001, range(4, 4)}, {0x200000, range(1, 1)}, {0x600000, range(9, 9)}}));
  EXPECT_FALSE(known.take_over(fabric));
}

RC_GTEST_PROP(LidRecords, NeverOverlap,
              (std::vector<std::tuple<std::uint8_t, std::uint8_t, std::uint8_t>> adds)) {
  LidRecords known;
  std::map<unsigned, unsigned> owner;  // by LID
  std::set<unsigned> ports;
  for (const auto& [port, first, size] : adds) {
    const unsigned begin = first + 1U, end = begin + size % 8;
    bool free = !ports.contains(port);
    for (unsigned lid = begin; lid <= end; ++lid) free = free && !owner.contains(lid);
    RC_ASSERT(known.add(Guid(port), range(begin, end)) == free);
    if (!free) continue;
    ports.insert(port);
    for (unsigned lid = begin; lid <= end; ++lid) owner[lid] = port;
  }
  for (unsigned lid = 1; lid < 300; ++lid) {
    const auto found = known.owner_in(range(lid, lid));
    RC_ASSERT(found.has_value() == owner.contains(lid));
    if (found) RC_ASSERT(found->value == owner[lid]);
  }
}

}  // namespace
}  // namespace rch::fabric::test
