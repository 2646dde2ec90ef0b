// What a db_csv tells of switches and ports beside the fabric, and how it contradicts the tables.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dumps/judgement.h"
#include "fabric/fabric_builder.h"
#include "support/small_fabrics.h"

namespace rch::dumps {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kSecret = "0x5ec4e7005ec4e700";

/// The settings of one port, as PORTS shows them.
struct Setting {
  int state = 4, width = 2, speed = 4, mtu = 5, op_vls = 4, in = 0, out = 0;
};

/// Two leaves with two hosts each below a spine, all tables of which are right: each host sends by its leaf,
/// and where that does not have the receiver, by the spine.
struct Star {
  fabric::Fabric fabric = test::build(test::clos(2, 1, 2));
  std::vector<Setting> settings = std::vector<Setting>(fabric.ports().size());
  int top = 100;
  std::uint32_t switches_told = 3;  ///< of which SWITCHES has a row
  std::string more;                 ///< further tables
  std::vector<std::string> findings;

  PortId port(std::uint32_t sw, std::uint8_t number) const {
    return fabric.port_id(SwitchId(sw), PortNum(number));
  }
  std::string tables() const {
    std::string text;
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      text += fmt::format("Switch {}\nLID    : Port : Hops : Optimal\n", fabric.node(SwitchId(s)).guid);
      for (const fabric::EndPort& end : fabric.end_ports())
        text += fmt::format("0x{:04x} : {:03d}  : 00   : yes\n", end.lid,
                            end.sw == SwitchId(s) ? end.attach.value : port_towards(s, end.sw));
    }
    return text;
  }
  std::string db_csv() const {
    std::string text =
        "START_PORTS\nNodeGuid,PortNum,MKey,PortState,LinkWidthActv,LinkSpeedActv,NMTU,OpVLs,PartEnfInb,"
        "PartEnfOutb\n";
    for (std::uint32_t p = 0; p < settings.size(); ++p) {
      const fabric::Port& port = fabric.port(PortId(p));
      const Setting& of = settings[p];
      if (!fabric.is_switch(port.node) && port.number == PortNum(0)) continue;  // a CA has no port 0
      text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", fabric.node(port.node).guid, port.number,
                          kSecret, of.state, of.width, of.speed, of.mtu, of.op_vls, of.in, of.out);
    }
    text += "END_PORTS\n\nSTART_SWITCHES\nNodeGUID,LinearFDBCap,LinearFDBTop\n";
    for (std::uint32_t s = 0; s < switches_told; ++s)
      text += fmt::format("{},49152,{}\n", fabric.node(SwitchId(s)).guid, top);
    return text + "END_SWITCHES\n";
  }

  std::optional<Observed> observed() {
    SourceSet sources;
    Diagnostics diagnostics;
    std::vector<File> files;
    for (const std::string& text : {tables(), db_csv(), more}) {
      if (text.empty()) continue;
      auto file = read(sources, sources.add("file", text), diagnostics);
      if (file) files.push_back(std::move(*file));
    }
    auto seen = observe(fabric, files, diagnostics);
    findings.clear();
    for (const Diagnostic& d : diagnostics.all())
      findings.push_back(fmt::format("{}: {}", d.rule->name, d.message));
    return seen;
  }
  /// What is found of settings, as `kind count`.
  std::vector<std::string> found() {
    const auto seen = observed();
    if (!seen) return findings;
    std::vector<std::string> found;
    for (const SettingFinding& one : judge(*seen).settings)
      found.push_back(fmt::format("{} {}", name(one.kind), one.count));
    return found;
  }

 private:
  /// Of a star: the only cable of a leaf leads to the spine, and that of the spine to the leaf.
  unsigned port_towards(std::uint32_t from, SwitchId to) const {
    for (unsigned p = 1; p <= fabric.node(SwitchId(from)).num_ports; ++p) {
      const PortId peer = fabric.port(port(from, static_cast<std::uint8_t>(p))).peer;
      if (peer.is_none() || !fabric.is_switch(fabric.port(peer).node)) continue;
      const bool is_spine = fabric.end_ports_of(SwitchId(from)).empty();
      if (!is_spine || fabric.port(peer).node == fabric::Fabric::node_id(to)) return p;
    }
    return kNoPath;
  }
};

TEST(Settings, OfASoundFabricAreNoFinding) {
  Star star;
  const auto seen = star.observed();
  ASSERT_TRUE(seen) << testing::PrintToString(star.findings);
  EXPECT_THAT(star.findings, IsEmpty());
  const Judgement judged = judge(*seen);
  EXPECT_THAT(judged.settings, IsEmpty());
  EXPECT_TRUE(judged.sound());
  EXPECT_EQ(known_cables(*seen->fabric, seen->settings).all, 6U);
  EXPECT_EQ(known_cables(*seen->fabric, seen->settings).with_mtu, 6U);
}

TEST(Settings, MustBeTheSameAtBothEndsOfACable) {
  const auto differing = [](int Setting::*member, int value) {
    Star star;
    const PortId to_spine = star.port(0, 3);
    EXPECT_FALSE(star.fabric.port(to_spine).peer.is_none());
    star.settings[to_spine.index()].*member = value;
    return star.found();
  };
  EXPECT_THAT(differing(&Setting::mtu, 4), ElementsAre("link-mtu 1"));
  EXPECT_THAT(differing(&Setting::op_vls, 3), ElementsAre("link-vls 1"));
  EXPECT_THAT(differing(&Setting::width, 8), ElementsAre("link-width 1"));
  EXPECT_THAT(differing(&Setting::speed, 256), ElementsAre("link-speed 1"));
  EXPECT_THAT(differing(&Setting::mtu, 0), IsEmpty()) << "one end does not tell it";
}

TEST(Settings, LostPacketsForbidAndRatesDoNot) {
  Star star;
  star.settings[star.port(0, 3).index()].speed = 256;
  auto seen = star.observed();
  ASSERT_TRUE(seen);
  EXPECT_TRUE(judge(*seen).sound());
  star.settings[star.port(0, 3).index()].mtu = 1;
  seen = star.observed();
  ASSERT_TRUE(seen);
  Judgement judged = judge(*seen);
  EXPECT_FALSE(judged.sound());
  EXPECT_TRUE(judged.verdict.clean());
  for (SettingFinding& one : judged.settings) one.accepted = true;
  EXPECT_TRUE(judged.sound());
}

/// The switch drops packets to LIDs beyond its LinearFDBTop, so pairs are lost.
TEST(Settings, EntriesBeyondTheTopAreNotInEffect) {
  Star star;
  const Lid last = star.fabric.end_ports().back().lid;
  star.top = last.value - 1;
  const auto seen = star.observed();
  ASSERT_TRUE(seen);
  const Judgement judged = judge(*seen);
  ASSERT_EQ(judged.settings.size(), 1U);
  EXPECT_EQ(judged.settings[0].kind, SettingKind::entries_beyond_top);
  EXPECT_EQ(judged.settings[0].count, 3U) << "one of each switch";
  EXPECT_THAT(judged.settings[0].message, HasSubstr("not confirmed"));
  ASSERT_EQ(judged.verdict.findings.size(), 1U);
  EXPECT_EQ(judged.verdict.findings[0].kind, verify::FindingKind::unreachable);
  EXPECT_EQ(judged.verdict.findings[0].count, 3U) << "all others to one host";
  star.top = last.value;
  EXPECT_THAT(star.found(), IsEmpty());
}

/// Two files, of two days perhaps, tell different tops of one switch: which one counts is not known.
TEST(Settings, TwoTopsOfASwitchThatDifferAreAnError) {
  Star star;
  const auto second = [&](int top) {
    star.findings.clear();
    star.more = fmt::format("START_SWITCHES\nNodeGUID,LinearFDBCap,LinearFDBTop\n{},49152,{}\nEND_SWITCHES\n",
                            star.fabric.node(SwitchId(0)).guid, top);
    return star.observed();
  };
  EXPECT_TRUE(second(star.top));
  EXPECT_FALSE(second(star.top - 1));
  EXPECT_THAT(star.findings, Contains(HasSubstr("tables-twice")));
}

/// A file that tells the tops of some switches leaves those of the others open.
TEST(Settings, SwitchesWhoseTopIsNotToldAreCounted) {
  Star star;
  star.switches_told = 1;
  const auto some = star.observed();
  ASSERT_TRUE(some);
  EXPECT_EQ(some->settings.without_top, star.fabric.switch_count() - 1);
  star.switches_told = 0;
  const auto none = star.observed();
  ASSERT_TRUE(none);
  EXPECT_EQ(none->settings.without_top, 0U) << "as from any tables without settings";
}

/// A map may name a VL that the port is capable of, and that is not in operation.
TEST(Settings, MapsAreJudgedByTheVlsInOperation) {
  Star star;
  for (std::uint32_t s = 0; s < star.fabric.switch_count(); ++s)
    for (unsigned in = 0; in <= star.fabric.node(SwitchId(s)).num_ports; ++in)
      for (unsigned out = 1; out <= star.fabric.node(SwitchId(s)).num_ports; ++out)
        star.more += fmt::format("{} {} {} 0x33 0x33 0x33 0x33 0x33 0x33 0x33 0x33\n",
                                 star.fabric.node(SwitchId(s)).guid, in, out);
  const auto seen = star.observed();
  ASSERT_TRUE(seen);
  EXPECT_TRUE(judge(*seen).verdict.clean()) << "VL 3 of eight";
  for (Setting& of : star.settings) of.op_vls = 2;
  const auto few = star.observed();
  ASSERT_TRUE(few);
  const Judgement judged = judge(*few);
  ASSERT_EQ(judged.verdict.findings.size(), 1U);
  EXPECT_EQ(judged.verdict.findings[0].kind, verify::FindingKind::dropped_by_vl);
}

TEST(Settings, EntriesThatLeadToPortsWithoutALinkAreFound) {
  Star star;
  fabric::FabricBuilder cut(star.fabric);
  const auto leaf = cut.find(star.fabric.node(SwitchId(0)).guid);
  ASSERT_TRUE(leaf);
  cut.disconnect(*leaf, PortNum(3));
  Star after = star;
  auto without = std::move(cut).build();
  ASSERT_TRUE(without);
  after.fabric = std::move(*without);
  // The tables are those of before: the leaf has two entries by the port, and the spine two.
  SourceSet sources;
  Diagnostics diagnostics;
  std::vector<File> files;
  files.push_back(*read(sources, sources.add("file", star.tables()), diagnostics));
  const auto seen = observe(after.fabric, files, diagnostics);
  ASSERT_TRUE(seen);
  const Judgement judged = judge(*seen);
  ASSERT_EQ(judged.settings.size(), 1U);
  EXPECT_EQ(judged.settings[0].kind, SettingKind::dead_port_entries);
  EXPECT_EQ(judged.settings[0].count, 4U);
  EXPECT_THAT(judged.settings[0].message, HasSubstr("by port 3, which is down or has no cable"));
}

std::string pkeys_of(Lid lid, PortNum number, std::string_view key) {
  std::string text = fmt::format(
      "PKeyTableRecord dump:\n\t\tLID........................{}\n\t\tPort.......................{}\n"
      "\t\tBlock......................0\n\t\tPKey Table:\n",
      lid, number);
  for (int row = 0; row < 4; ++row)
    text +=
        fmt::format("\t\t{} 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000\n", row == 0 ? key : "0x0000");
  return text + "\n";
}

TEST(Settings, WhatSwitchPortsCheckIsKnownWithTheirPKeys) {
  Star star;
  for (const fabric::EndPort& end : star.fabric.end_ports()) {
    star.more += pkeys_of(end.lid, star.fabric.port(end.port).number, "0x8001");
    star.settings[star.port(end.sw.value, end.attach.value).index()].out = 1;
  }
  auto seen = star.observed();
  ASSERT_TRUE(seen && seen->pkeys);
  EXPECT_FALSE(seen->knows_checks) << "nobody knows the P_Keys that the switch ports check by";
  for (const fabric::EndPort& end : star.fabric.end_ports())
    star.more +=
        pkeys_of(star.fabric.port(star.fabric.port_id(end.sw, PortNum(0))).lid, end.attach, "0x8001");
  seen = star.observed();
  ASSERT_TRUE(seen && seen->pkeys);
  EXPECT_TRUE(seen->knows_checks);
  const fabric::EndPort& first = star.fabric.end_ports().front();
  EXPECT_EQ(seen->pkeys->checks(star.port(first.sw.value, first.attach.value)),
            fabric::PartitionEnforcement::out);
  for (Setting& of : star.settings) of.out = 0;
  star.more.clear();
  for (const fabric::EndPort& end : star.fabric.end_ports())
    star.more += pkeys_of(end.lid, star.fabric.port(end.port).number, "0x8001");
  seen = star.observed();
  ASSERT_TRUE(seen && seen->pkeys);
  EXPECT_TRUE(seen->knows_checks) << "ports that check nothing need no P_Keys";
}

TEST(Settings, KeysAreHiddenInTheText) {
  const Star star;
  SourceSet sources;
  Diagnostics diagnostics;
  const SourceId source = sources.add("file", star.db_csv());
  ASSERT_TRUE(read(sources, source, diagnostics));
  EXPECT_EQ(sources.at(source).text().find(kSecret), std::string_view::npos);
}

TEST(Settings, WhatIsWrongIsAnErrorAndWhatIsUnknownIsNot) {
  const auto rules_of = [](const std::string& columns, const std::string& row) {
    SourceSet sources;
    Diagnostics diagnostics;
    read(sources,
         sources.add("file", "START_PORTS\n" + columns + "\n" + row +
                                 "\nEND_PORTS\nSTART_AR_INFO\n"
                                 "NodeGUID,e,fr_enabled,by_sl_en,enable_by_sl_mask\nEND_AR_INFO\n"),
         diagnostics);
    std::vector<std::string> rules;
    for (const Diagnostic& d : diagnostics.all()) rules.emplace_back(d.rule->name);
    return rules;
  };
  EXPECT_THAT(rules_of("NodeGuid,PortNum,NMTU", "0x100000,1,9"), ElementsAre("db-csv-bad-value"));
  EXPECT_THAT(rules_of("NodeGuid,PortNum,NMTU,NMTU", "0x100000,1,4,5"), ElementsAre("db-csv-doubled-column"));
  EXPECT_THAT(rules_of("NodeGuid,PortNum,NMTU", "0x100000,1"), ElementsAre("db-csv-bad-row"));
  EXPECT_THAT(rules_of("NodeGuid,PortNum,NMTU,OpVLs", "0x100000,1,N/A,-1"), IsEmpty());
  EXPECT_THAT(rules_of("NodeGuid,PortNum", "0x100000,1"), IsEmpty());
}

TEST(Settings, TwoRowsOfAPortThatDifferAreAnError) {
  Star star;
  star.more = fmt::format("START_PORTS\nNodeGuid,PortNum,NMTU\n{},3,1\nEND_PORTS\n",
                          star.fabric.node(SwitchId(0)).guid);
  EXPECT_FALSE(star.observed());
  EXPECT_THAT(star.findings, Contains(HasSubstr("tables-twice")));
}

}  // namespace
}  // namespace rch::dumps
