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
      "0x0000000000100001 0x0004 0x0005\r\n"
      "0x0000000000100002 0x0005 0x0006\n"
      "\n"
      "0x0000000000100001 0x0008 0x0009\n"
      "0x0000000000100003 7 7\n"
      "0x0000000000100004 0x0000 0x0001\n"
      "0x0000000000100005 0x0009 0x0008\n"
      "0x0000000000100006 0xbfff 0xc000\n"
      "0x000000000010000");
  EXPECT_EQ(lids.records, records({{0x100001, range(4, 5)}, {0x100003, range(7, 7)}}));
  EXPECT_EQ(lids.findings,
            R"(guid2lid:3:1: warning: LIDs 5 to 6 overlap those of port 0x0000000000100001 [guid2lid-conflict]
    3 | 0x0000000000100002 0x0005 0x0006
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
guid2lid:2:1: this one is kept
    2 | 0x0000000000100001 0x0004 0x0005
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
guid2lid:5:1: warning: port 0x0000000000100001 has LIDs already [guid2lid-conflict]
    5 | 0x0000000000100001 0x0008 0x0009
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
guid2lid:2:1: this one is kept
    2 | 0x0000000000100001 0x0004 0x0005
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
guid2lid:7:1: warning: 0 to 1 is no range of unicast LIDs [guid2lid-bad-record]
    7 | 0x0000000000100004 0x0000 0x0001
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
guid2lid:8:1: warning: 9 to 8 is no range of unicast LIDs [guid2lid-bad-record]
    8 | 0x0000000000100005 0x0009 0x0008
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
guid2lid:9:1: warning: 49151 to 49152 is no range of unicast LIDs [guid2lid-bad-record]
    9 | 0x0000000000100006 0xbfff 0xc000
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
guid2lid:10:1: warning: this line is no port GUID with its first and its last LID [guid2lid-bad-record]
   10 | 0x000000000010000
      | ^~~~~~~~~~~~~~~~~
)");
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
