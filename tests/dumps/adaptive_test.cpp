// Tables of adaptive routing as ibdiagnet 2 writes them, and their settings.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dumps/judgement.h"
#include "support/small_fabrics.h"

namespace rch::dumps {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct FarRead {
  std::optional<File> file;
  std::vector<std::string> findings;  ///< `rule: message`
};

FarRead read_far(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  FarRead result{read(sources, sources.add("file.far", text), diagnostics), {}};
  for (const Diagnostic& d : diagnostics.all())
    result.findings.push_back(fmt::format("{}: {}", d.rule->name, d.message));
  return result;
}

std::string table(const std::string& guid, const std::string& groups, const std::string& lids) {
  return "Switch " + guid + "\nGroups Definition:\nGroup  SubGroup  WHBF  Ports\n-----\n" + groups +
         "LFT Definition:\nLID  StaticPort  LidState  Group\n-----\n" + lids + "\n";
}

TEST(AdaptiveDumps, TableIsReadWithAllSubGroups) {
  const FarRead found = read_far(table("0x0000000000100000", "1 0 - 3,4\n1 1 - 5\n2 0 -\n",
                                       "7 3 Free 1\n8 4 Static 1\n9 4 Static\n10 5 Bounded 2\n11 5 HBF 1\n"));
  EXPECT_THAT(found.findings, IsEmpty());
  ASSERT_TRUE(found.file);
  const auto& dump = std::get<AdaptiveDump>(*found.file);
  ASSERT_EQ(dump.tables.size(), 1U);
  const AdaptiveDump::Table& at = dump.tables.front();
  EXPECT_EQ(at.sw, Guid(0x100000));
  EXPECT_EQ(at.ports[7], 3);
  EXPECT_EQ(at.ports[9], 4);
  const auto group = [&](std::size_t lid) { return at.groups.at(at.group_of[lid]); };
  EXPECT_EQ(group(7).ports.count(), 3U);
  EXPECT_FALSE(group(7).is_static);
  EXPECT_TRUE(group(8).is_static);
  EXPECT_EQ(at.group_of[9], AdaptiveDump::kNoGroup);
  EXPECT_EQ(at.group_of[10], AdaptiveDump::kNoGroup) << "an empty group";
  EXPECT_TRUE(at.has_hashed);
}

TEST(AdaptiveDumps, WhatCannotBeReadIsAnError) {
  const std::string guid = "0x0000000000100000";
  for (const std::string& text :
       {table(guid, "1 0 - 3,x\n", "7 3 Free 1\n"), table(guid, "5000 0 - 3\n", "7 3 Static 1\n"),
        table(guid, "1 0 - 3\n", "7 3 Free 2\n"), table(guid, "1 0 - 3\n", "7 3 Loose 1\n"),
        table(guid, "1 0 - 3\n", "50000 3 Free 1\n"), table(guid, "1 0 - 3\n", "7 3 Free\n"),
        table(guid, "1 0 - 3\n", "7 300 Free 1\n"), table(guid, "1 0 - 0\n", "7 3 Free 1\n"),
        table(guid, "1 0 - 3\n", "7 3 Free 1\n7 3 Static\n"), table(guid, "1 0 3,4\n", "7 3 Static 1\n"),
        table(guid, "1 3,4\n", "7 3 Static 1\n"), table(guid, "1 0\n", "7 3 Static 1\n")})
    EXPECT_THAT(read_far(text).findings, ElementsAre(HasSubstr("tables-bad-entry"))) << text;
  EXPECT_THAT(read_far(table(guid, "1 0 - 3\nwhat\n2 0 - 4\n", "7 3 Free 1\n")).findings,
              testing::Contains(HasSubstr("in neither table")));
  EXPECT_THAT(read_far(table("0xQ", "1 0 - 3\n", "7 3 Free 1\n")).findings,
              ElementsAre(HasSubstr("tables-bad-heading")));
  const std::string cut = table(guid, "1 0 - 3\n", "7 3 Free 1\n7 3");
  EXPECT_FALSE(read_far(cut.substr(0, cut.size() - 1)).file);
}

/// A port that is taken for the word of another column would be missing in the proof.
TEST(AdaptiveDumps, PortsBeginWhereTheNamesOfTheColumnsSay) {
  const std::string lids = "LFT Definition:\nLID  StaticPort  LidState  Group\n-----\n7 3 Free 1\n";
  const std::string begin = "Switch 0x0000000000100000\nGroups Definition:\n";
  for (const char* const groups :
       {"Group SubGroup Ports\n----\n1 0 3,4\n", "Group  Ports\n----\n1 3, 4\n", "-----\n1 0 - 3,4\n",
        "Group SubGroup WHBF Weight Ports\n----\n1 0 - 5 3,4\n",
        "how many: few\nGroup Ports\n----\n# of the leaf\n1 3,4\n"}) {
    const FarRead found = read_far(begin + groups + lids);
    EXPECT_THAT(found.findings, IsEmpty()) << groups;
    ASSERT_TRUE(found.file);
    EXPECT_EQ(std::get<AdaptiveDump>(*found.file).tables.front().groups.at(0).ports.count(), 2U) << groups;
  }
  EXPECT_THAT(read_far(begin + "Ports Group\n----\n3,4 1\n" + lids).findings,
              testing::Contains(HasSubstr("tables-bad-heading")));
}

/// Whatever a file of that name holds, its switches are not taken for such without groups.
TEST(AdaptiveDumps, FilesAreRecognisedByTheirName) {
  EXPECT_TRUE(std::holds_alternative<AdaptiveDump>(*read_far("").file));
  EXPECT_FALSE(read_far("  Groups Definition:\n").findings.empty());
}

TEST(AdaptiveDumps, LinesThatAreNotKnownAreToldOnce) {
  const FarRead found =
      read_far("FR is on\n" + table("0x0000000000100000", "1 0 - 3\n", "7 3 Free 1\n") + "what else\n");
  EXPECT_THAT(found.findings, ElementsAre(HasSubstr("2 lines")));
}

TEST(AdaptiveDumps, FurtherTablesOfASwitchAreTold) {
  const FarRead found = read_far(table("0x0000000000100000", "1 0 - 3\n", "7 3 Free 1\n") +
                                 "LFT Definition:\nLID  StaticPort  LidState  Group\n-----\n7 4 Free 1\n");
  EXPECT_THAT(found.findings, testing::Contains(HasSubstr("tables-private")));
  EXPECT_EQ(std::get<AdaptiveDump>(*found.file).tables.front().ports[7], 3);
}

/// Large files are read in pieces; a mistake far behind is still told with its place.
TEST(AdaptiveDumps, LargeFilesAreReadLikeSmallOnes) {
  std::string text;
  std::string lids;
  for (int lid = 1; lid <= 20000; ++lid) lids += fmt::format("{:<6} {:<11} Free      1\n", lid, 3 + lid % 2);
  constexpr std::uint64_t kSwitches = 20;
  for (std::uint64_t s = 0; s < kSwitches; ++s)
    text += table(fmt::format("0x{:016x}", 0x100000 + 8 * s), "1 0 - 3,4\n", lids);
  ASSERT_GT(text.size(), std::size_t{8} << 20);
  const FarRead found = read_far(text);
  EXPECT_THAT(found.findings, IsEmpty());
  const auto& tables = std::get<AdaptiveDump>(*found.file).tables;
  ASSERT_EQ(tables.size(), kSwitches);
  for (std::uint64_t s = 0; s < kSwitches; ++s) {
    EXPECT_EQ(tables[s].sw, Guid(0x100000 + 8 * s));
    EXPECT_EQ(tables[s].ports.size(), 20001U);
    EXPECT_EQ(tables[s].ports[20000], 3);
  }
  SourceSet sources;
  Diagnostics diagnostics;
  const std::size_t begin = text.size();
  EXPECT_FALSE(read(sources, sources.add("x.far", text + table("0xQ", "", "7 3 Free 1\n")), diagnostics));
  ASSERT_FALSE(diagnostics.all().empty());
  EXPECT_EQ(diagnostics.all().front().span.begin, begin);
}

TEST(AdaptiveSettings, AreReadByTheNamesOfTheirColumns) {
  const FarRead found = read_far(
      "START_NODES\nNodeGUID\n0x1\nEND_NODES\n\nSTART_AR_INFO\nfr_enabled,NodeGUID,E,group_cap,bySlEn,"
      "enableBySlMask\n1,0x0000000000100000,1,2048,1,255\n0, 0x100008,0,2048,0,0\nEND_AR_INFO\n");
  EXPECT_THAT(found.findings, IsEmpty());
  const auto& rows = std::get<SettingsDump>(*found.file).adaptive.rows;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].sw, Guid(0x100000));
  EXPECT_TRUE(rows[0].enabled && rows[0].fast_recovery);
  EXPECT_EQ(rows[0].sls, 255);
  EXPECT_FALSE(rows[1].enabled);
  EXPECT_EQ(rows[1].sls, 0xFFFF);
}

TEST(AdaptiveSettings, WhatCannotBeReadIsAnError) {
  const std::string header = "START_AR_INFO\nNodeGUID,e,fr_enabled,by_sl_en,enable_by_sl_mask\n";
  const std::string row = "0x100000,1,0,0,0\n", end = "END_AR_INFO\n";
  EXPECT_THAT(read_far(header + row + row + end).findings, IsEmpty());
  for (const std::string& text :
       {header + row, header + row + "START_NODES\nNodeGUID\n0x1\nEND_NODES\n",
        header + "0x100000,1,0,0,0,7\n" + end, header + "0x100000,1,0,0\n" + end,
        "START_AR_INFO\nNodeGUID,e,E,fr_enabled,by_sl_en,enable_by_sl_mask\n0x100000,0,1,0,0,0\n" + end})
    EXPECT_FALSE(read_far(text).file) << text;
}

/// A ring of four switches, one host each. Ports: 1 the host, 2 back (switch 0: forward), 3 forward.
class JudgedRing : public testing::Test {
 protected:
  JudgedRing() : fabric_(test::build({.hosts = {1, 1, 1, 1}, .cables = {{0, 1}, {1, 2}, {2, 3}, {3, 0}}})) {}

  /// Each host is reached forward; two hops away also backward, if `both`.
  std::string tables(bool both, const std::string& state) const {
    std::string text;
    for (std::uint32_t s = 0; s < 4; ++s) {
      std::string lids;
      for (std::uint32_t to = 0; to < 4; ++to) {
        const int forward = s == 0 ? 2 : 3, backward = s == 0 ? 3 : 2;
        const std::uint32_t hops = (to + 4 - s) % 4;
        const int port = hops == 0 ? 1 : hops == 3 ? backward : forward;
        lids += fmt::format("{} {} {} {}\n", fabric_.end_ports_of(SwitchId(to))[0].lid, port,
                            both && hops == 2 ? state : "Static", both && hops == 2 ? 1 : 0);
      }
      text += table(fmt::format("{}", fabric_.node(SwitchId(s)).guid), "1 0 - 2,3\n", lids);
    }
    return text;
  }

  /// Two hops away by the entries one way from two switches, the other way from two: nothing closes a loop.
  std::string split_tables() const {
    std::string text = tables(true, "Free");
    for (const std::uint32_t s : {2U, 3U}) {
      const std::size_t begin = text.find(fmt::format("{}", fabric_.node(SwitchId(s)).guid));
      text.replace(text.find(" 3 Free", begin), 7, " 2 Free");
    }
    return text;
  }

  std::optional<Observed> observed(const std::vector<std::string>& texts) const {
    SourceSet sources;
    Diagnostics diagnostics;
    std::vector<File> files;
    for (const std::string& text : texts)
      files.push_back(*read(sources, sources.add("x", text), diagnostics));
    return observe(fabric_, files, diagnostics);
  }
  Judgement judged(const std::string& far, const std::string& settings = "",
                   const JudgementOptions& options = {}) const {
    const auto seen = settings.empty() ? observed({far}) : observed({far, settings});
    EXPECT_TRUE(seen);
    return judge(*seen, options);
  }
  std::string settings(int enabled, int recovery, int mask) const {
    std::string text = "START_AR_INFO\nNodeGUID,e,fr_enabled,by_sl_en,enable_by_sl_mask\n";
    for (std::uint32_t s = 0; s < 4; ++s)
      text += fmt::format("{},{},{},1,{}\n", fabric_.node(SwitchId(s)).guid, enabled, recovery, mask);
    return text + "END_AR_INFO\n";
  }

  fabric::Fabric fabric_;
};

bool closes_credit_loop(const Judgement& judgement) {
  return testing::Matches(testing::Contains(HasSubstr("credit loops: ")))(judgement.not_judged) ||
         std::ranges::find(judgement.verdict.findings, verify::FindingKind::credit_loop,
                           &verify::Finding::kind) != judgement.verdict.findings.end();
}

TEST_F(JudgedRing, EntriesAloneCloseACreditLoopForward) {
  EXPECT_TRUE(closes_credit_loop(judged(tables(false, ""))));
}

/// While a switch routes adaptively, its linear table does not say where packets go.
TEST_F(JudgedRing, EntriesAreNotAllWhereSwitchesRouteAdaptively) {
  std::string linear;
  for (std::uint32_t s = 0; s < 4; ++s)
    linear += fmt::format("Switch {}\nLID    : Port : Hops : Optimal\n0x{:04x} : 001  : 00   : yes\n",
                          fabric_.node(SwitchId(s)).guid, fabric_.end_ports_of(SwitchId(s))[0].lid.value);
  const auto tells = [&](const std::string& settings) {
    return testing::Matches(testing::Contains(HasSubstr("adaptive routing: no file")))(
        judged(linear, settings).not_judged);
  };
  EXPECT_TRUE(tells(settings(1, 0, 0xFFFF)));
  EXPECT_TRUE(tells(settings(0, 1, 0xFFFF)));
  EXPECT_FALSE(tells(settings(0, 0, 0xFFFF)));
}

/// Nobody says which service levels packets have, and some are routed adaptively.
TEST_F(JudgedRing, CreditLoopsAreJudgedAtServiceLevelsThatAreRoutedAdaptively) {
  EXPECT_FALSE(closes_credit_loop(judged(split_tables(), settings(0, 0, 0xFFFF))));
  EXPECT_FALSE(closes_credit_loop(judged(split_tables(), settings(1, 0, 0))));
  EXPECT_TRUE(closes_credit_loop(judged(split_tables(), settings(1, 0, 0xFFFF))));
  const Judgement others = judged(split_tables(), settings(1, 0, 0xFFFE));
  EXPECT_TRUE(closes_credit_loop(others));
  EXPECT_EQ(others.credit_loops, CreditLoops::not_judged);
  EXPECT_TRUE(others.verdict.clean()) << "packets of service level 0 follow the entries";
  const Judgement without_qos = judged(split_tables(), settings(1, 0, 0xFFFE), {.without_qos = true});
  EXPECT_FALSE(closes_credit_loop(without_qos));
  EXPECT_EQ(without_qos.credit_loops, CreditLoops::sl_0);
}

TEST_F(JudgedRing, SwitchesThatAFileLacksMayRouteAdaptively) {
  const std::string far = split_tables();
  const std::string last = fmt::format("Switch {}", fabric_.node(SwitchId(3)).guid);
  const std::string lacking = far.substr(0, far.find(last));
  const std::string linear = fmt::format("{}\nLID    : Port : Hops : Optimal\n0x{:04x} : 001  : 00   : yes\n",
                                         last, fabric_.end_ports_of(SwitchId(3))[0].lid.value);
  const auto tells = [&](const std::vector<std::string>& texts) {
    return testing::Matches(testing::Contains(HasSubstr("adaptive routing: no file")))(
        judge(*observed(texts)).not_judged);
  };
  EXPECT_FALSE(tells({far}));
  EXPECT_TRUE(tells({lacking, linear}));
  EXPECT_TRUE(tells({lacking, linear, settings(1, 0, 0)}));
  EXPECT_FALSE(tells({lacking, linear, settings(0, 0, 0)}));
}

TEST_F(JudgedRing, SettingsThatContradictEachOtherAreAnError) {
  EXPECT_TRUE(observed({split_tables(), settings(0, 0, 0), settings(0, 0, 0)}));
  EXPECT_FALSE(observed({split_tables(), settings(0, 0, 0), settings(1, 0, 0)}));
  EXPECT_FALSE(observed({split_tables(), settings(0, 0, 0) + settings(0, 1, 0)}));
}

TEST_F(JudgedRing, SettingsSayWhatSwitchesMayChoose) {
  // Forward by the entries of two hops is what closes the loop; without them there is none.
  const Judgement unknown = judged(tables(true, "Free"));
  EXPECT_TRUE(closes_credit_loop(unknown));
  const auto dependencies = [&](const std::string& state, int enabled, int recovery, int mask) {
    return judged(tables(true, state), settings(enabled, recovery, mask)).verdict.dependencies;
  };
  const std::uint64_t whole = unknown.verdict.dependencies;
  const std::uint64_t alone = judged(tables(false, "")).verdict.dependencies;
  ASSERT_LT(alone, whole);
  EXPECT_EQ(dependencies("Free", 1, 0, 0xFFFF), whole);
  EXPECT_EQ(dependencies("Free", 0, 0, 0xFFFF), alone);
  EXPECT_EQ(dependencies("Free", 1, 0, 0xFFFE), alone) << "service level 0 is not adaptive";
  EXPECT_EQ(dependencies("Free", 1, 1, 0xFFFE), whole) << "fast recovery knows no service levels";
  EXPECT_EQ(dependencies("Static", 1, 0, 0xFFFF), alone);
  EXPECT_EQ(dependencies("Static", 1, 1, 0xFFFF), whole) << "fast recovery moves static traffic, too";
  EXPECT_EQ(dependencies("HBF", 0, 0, 0), whole) << "hashed traffic takes all ports of the group";
}

}  // namespace
}  // namespace rch::dumps
