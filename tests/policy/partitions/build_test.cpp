// What partition files mean: P_Keys, names, members, groups, symbols and what other parts see of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/repair.h"
#include "parsers/opensm_conf/opensm_conf.h"
#include "policy/build/partitions/build_partitions.h"
#include "policy/build/partitions/views.h"
#include "reading.h"

namespace rch::policy::partitions {
namespace {

using testing::ElementsAre;

std::vector<std::string> names(const Partitions& partitions) {
  std::vector<std::string> found;
  for (const Partition& p : partitions.all) found.push_back(fmt::format("{:#06x} {}", p.pkey, p.name.text));
  return found;
}

TEST(Partitions, DefaultIsAlwaysThere) {
  const Reading reading("Storage=0x102 : 0x11=full ;\n");
  EXPECT_THAT(names(reading.partitions()), ElementsAre("0x0102 Storage", "0x7fff Default"));
  const Partition& everyone = *reading.partitions().find(kDefaultPKey);
  ASSERT_EQ(everyone.members.size(), 2U);
  EXPECT_EQ(everyone.members[0].who, Who::all);
  EXPECT_EQ(everyone.members[0].membership, Membership::limited);
  EXPECT_EQ(everyone.members[1].who, Who::self);
  EXPECT_EQ(everyone.members[1].membership, Membership::full);
  EXPECT_TRUE(everyone.groups.empty());
  EXPECT_EQ(reading.partitions().find(PKey(0x101)), nullptr);
}

TEST(Partitions, AMissingFileOpensTheDefaultPartition) {
  const Partitions open = without_file();
  EXPECT_EQ(laid_out(open), laid_out(Reading("Default=0x7fff, ipoib : ALL=full ;\n").partitions()));
  ASSERT_EQ(open.all.size(), 1U);
  ASSERT_EQ(open.all[0].groups.size(), 1U);
  EXPECT_EQ(open.all[0].groups[0].mgid, broadcast_mgid(kDefaultPKey, 2));
  EXPECT_EQ(open.all[0].groups[0].q_key, 0x0B1BU);
}

TEST(Partitions, ChoosesNumbersThatNoStatementGives) {
  const Reading reading("A : 0x11 ;\nB=1 : 0x12 ;\nC : 0x13 ;\n3 : 0x14 ;\nC : 0x15 ;\n: 0x16 ;\n");
  EXPECT_THAT(names(reading.partitions()), ElementsAre("0x0001 B", "0x0002 A", "0x0003 0003", "0x0004 C",
                                                       "0x0005 0005", "0x7fff Default"));
  EXPECT_EQ(reading.partitions().find(PKey(4))->members.size(), 2U);
}

TEST(Partitions, NumbersRunOut) {
  std::string text;
  for (int i = 1; i < 0x7FFF; ++i) text += fmt::format("{:#x} : 0x11 ;\n", i);
  EXPECT_FALSE(Reading(text).diagnostics().has_errors());
  const Reading full(text + "One more : 0x11 ;");
  EXPECT_EQ(full.rules(), "no-default-partition chosen-pkey");
  EXPECT_TRUE(full.diagnostics().has_errors());
}

TEST(Partitions, LongNamesAreCut) {
  const Reading reading(
      "A name of thirty-one characters: 0x11 ;\nA name of thirty-one characters!=0x7 : 0x12 ;\n");
  EXPECT_EQ(reading.partitions().find(PKey(7))->name.text, "A name of thirty-one characters");
}

TEST(Partitions, MembershipsComeFromTheItemThenFromDefmember) {
  const Reading reading("P=0x10, defmember=full : 0x11, 0x12=limited, ALL_CAS, NONE ;\nP=0x10 : 0x13 ;\n");
  std::vector<std::string> seen;
  for (const Member& m : reading.partitions().find(PKey(0x10))->members)
    seen.push_back(fmt::format("{} {}", reading.sources().text(reading.partitions().span(m)),
                               static_cast<int>(m.membership)));
  EXPECT_THAT(seen, ElementsAre("0x11 2", "0x12=limited 1", "ALL_CAS 2", "0x13 1"));
}

TEST(Partitions, BothIsFullUnlessAllowed) {
  const auto membership = [](const Reading& reading) {
    return reading.partitions().find(PKey(0x10))->members[0].membership;
  };
  const std::string text = "P=0x10 : 0x11=both ;\n";
  EXPECT_EQ(membership(Reading(text, "allow_both_pkeys FALSE\n")), Membership::full);
  EXPECT_EQ(membership(Reading(text, "allow_both_pkeys TRUE\n")), Membership::both);
  EXPECT_EQ(membership(Reading(text)), Membership::both);
}

TEST(Partitions, KeepTheirSl) {
  const std::string text = "P=0x10, ipoib, sl=3 : 0x11=full ;\nP=0x10 : 0x12 ;\n";
  const Reading with_qos(text, "qos TRUE\n");
  EXPECT_EQ(with_qos.partitions().find(PKey(0x10))->sl, 3);
  EXPECT_EQ(with_qos.rules(), "no-default-partition merged-sl");
  const Reading without(text, "qos FALSE\n");
  EXPECT_EQ(without.partitions().find(PKey(0x10))->sl, 0);
  EXPECT_EQ(without.partitions().find(PKey(0x10))->groups[0].sl, 0);
  EXPECT_EQ(without.rules(), "no-default-partition partition-sl-without-qos");
}

TEST(Partitions, GroupsTakeWhatTheyDoNotSayFromThePartition) {
  const Reading reading(
      "P=0x10, ipoib, mtu=5, rate=7, sl=2, Q_Key=9, TClass=8, FlowLabel=7 : 0x11=full\n"
      " mgid=ff12::1, sl=3, mtu=4\n mgid=ff15:101b::2, scope=5, Q_Key=1, TClass=2, FlowLabel=3 ;\n",
      "qos TRUE\n");
  EXPECT_EQ(reading.rules(), "no-default-partition");
  const auto& groups = reading.partitions().find(PKey(0x10))->groups;
  ASSERT_EQ(groups.size(), 3U);
  const auto values = [](const MulticastGroup& g) {
    return std::vector<std::uint32_t>{g.mtu, g.rate, g.sl, g.q_key, g.tclass, g.flow_label, g.hop_limit};
  };
  EXPECT_THAT(values(groups[0]), ElementsAre(5, 7, 2, 9, 8, 7, 0));
  EXPECT_THAT(values(groups[1]), ElementsAre(4, 7, 3, 9, 0, 7, 0));
  EXPECT_THAT(values(groups[2]), ElementsAre(5, 7, 2, 1, 2, 3, 255));
  EXPECT_EQ(groups[2].mgid[1], 0x15);
}

TEST(Partitions, GroupsTakeWhatNobodySaysFromTheMainOptions) {
  const std::string text =
      "A=0x10, ipoib : 0x11=full\n mgid=ff12::1\n mgid=ff12:401b::2, sl=0 ;\n"
      "B=0x11, ipoib, mtu=3, rate=2 : 0x11=full ;\n";
  const auto codes = [&](const std::string& options) {
    const Reading reading(text, options);
    EXPECT_EQ(reading.rules(), "no-default-partition") << options << reading.report();
    std::vector<std::vector<int>> all;
    for (const Partition& partition : reading.partitions().all)
      for (const MulticastGroup& group : partition.groups) all.push_back({group.mtu, group.rate});
    return all;
  };
  using Codes = std::vector<std::vector<int>>;
  EXPECT_EQ(codes("lmc 0\n"), (Codes{{4, 3}, {4, 3}, {4, 3}, {3, 2}}));
  EXPECT_EQ(codes("default_mcg_mtu 0\ndefault_mcg_rate 0\n"), (Codes{{4, 3}, {4, 3}, {4, 3}, {3, 2}}));
  EXPECT_EQ(codes("default_mcg_mtu 5\n"), (Codes{{5, 3}, {5, 3}, {5, 3}, {3, 2}}));
  EXPECT_EQ(codes("default_mcg_rate 16\ndefault_mcg_mtu 5\n"), (Codes{{5, 16}, {5, 16}, {5, 16}, {3, 2}}));
}

TEST(Partitions, TheGroupOfAMissingFileFollowsTheMainOptions) {
  SourceSet sources;
  Diagnostics diagnostics;
  const SourceId text = sources.add("opensm.conf", "default_mcg_mtu 5\ndefault_mcg_rate 16\n");
  const OptionFile main = read_main_options(parsers::opensm_conf::parse(sources, text, diagnostics), nullptr,
                                            sources, diagnostics);
  EXPECT_TRUE(diagnostics.all().empty());
  const Partitions given = open_partitions(&main), otherwise = open_partitions(nullptr);
  ASSERT_EQ(given.all[0].groups.size(), 1U);
  EXPECT_EQ(given.all[0].groups[0].mtu, 5);
  EXPECT_EQ(given.all[0].groups[0].rate, 16);
  EXPECT_EQ(laid_out(otherwise), laid_out(without_file()));
}

TEST(Partitions, AreNamesForOthers) {
  const Reading reading("Storage=0x102 : 0x11=full ;\nStorage=0x8102 : 0x12 ;\n");
  std::vector<std::string> seen;
  for (const Occurrence& o : reading.symbols().all()) {
    EXPECT_EQ(o.kind, SymbolKind::partition);
    seen.push_back(fmt::format("{}{}", o.definition ? "" : "-> ", o.name));
  }
  EXPECT_THAT(seen, ElementsAre("Storage", "0x0102", "-> Storage", "-> 0x0102"));
}

TEST(Partitions, AreKnownToQosPolicies) {
  const Reading reading(
      "B=0x20 : 0x11=full, 0x12=full, 0x11=limited, 0x13 ;\nA=0x10 : 0x11=full, SELF=full ;\n");
  const auto known = known_partitions(reading.partitions());
  ASSERT_EQ(known.size(), 3U);
  EXPECT_EQ(known[0].pkey, 0x10);
  EXPECT_EQ(known[0].full_members, std::nullopt);
  EXPECT_EQ(known[1].name, "B");
  EXPECT_EQ(known[1].full_members, 1U);
}

TEST(Partitions, UseSls) {
  const Reading reading("A=0x10, ipoib, sl=2 : 0x11\n mgid=ff12::1, sl=3\n ;\nB=0x11, sl=2 : 0x11 ;\n",
                        "qos TRUE\n");
  std::vector<std::string> seen;
  for (const qos::SlUse& use : sl_uses(reading.partitions()))
    seen.push_back(fmt::format("{} {}", use.sl, use.what));
  EXPECT_THAT(seen,
              ElementsAre("0 partition `Default`", "2 partition `A`", "2 a multicast group of partition `A`",
                          "3 a multicast group of partition `A`"));
}

/// What a repair makes of a file is the same file without the finding.
TEST(PartitionRepairs, KeepTheMeaning) {
  const std::string text =
      "P=0x8010, ipo, rat=7, qkey=5,\n tclass=6 : 0x11=full, SEL=limi,\n  ALL_SW\n  ;\n"
      "Q=0x11 : defmember=full : 0x12;\nS=0x13 : 0x14=full\nR=0x12 : 0x13=full ;;\n";
  Reading before(text);
  const auto repaired = repair(before.diagnostics(), before.sources());
  ASSERT_EQ(repaired.size(), 1U);
  EXPECT_EQ(repaired[0].text,
            "P=0x10, ipoib, rate=7, Q_Key=5, TClass=6 : 0x11=full, SELF=limited,\n  ALL_SWITCHES;\n  \n"
            "Q=0x11 , defmember=full : 0x12;\nS=0x13 : 0x14=full;\nR=0x12 : 0x13=full ;\n");
  const Reading after(repaired[0].text);
  EXPECT_EQ(after.rules(), "no-default-partition");
  EXPECT_EQ(laid_out(after.partitions()), laid_out(before.partitions()));
}

}  // namespace
}  // namespace rch::policy::partitions
