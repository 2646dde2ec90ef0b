// What an editor needs: texts in memory, exact places, and where every name is defined and used.

#include "policy/build/front_end.h"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace rch::policy {
namespace {

struct Buffers {
  SourceSet sources;
  Diagnostics diagnostics;

  explicit Buffers(std::string groups) {
    sources.provide(
        "conf/opensm.conf",
        "pgrp_policy_file groups.conf\ntopo_policy_file topologies.conf\nrch_policy_file chain.conf\n");
    sources.provide("conf/groups.conf", std::move(groups));
    sources.provide("conf/topologies.conf",
                    "topology\nid: 7\nsw-grp: leaves\nhca-grp: ALL_CAS\nend-topology\n");
    sources.provide("conf/chain.conf",
                    "unicast-step\nid: 1\nengine: minhop\nend-unicast-step\n"
                    "unicast-step\nid: 2\nengine: updn\ntopology: 7\nend-unicast-step\n"
                    "unicast-step\nid: 3\nengine: minhop\ntopology: 7\nfallback-to: 2\nend-unicast-step\n");
  }
};

std::string text_at(const SourceSet& sources, Span span) {
  const Position at = sources.at(span.source).position(span.begin);
  return fmt::format("{}:{}:{} {}", sources.at(span.source).name(), at.line, at.column, sources.text(span));
}

TEST(FrontEnd, ReadsBuffersInPlaceOfFiles) {
  Buffers buffers("port-group\nname: leaves\nport-guid: 0x10\nend-port-group\n");
  const auto read = load("conf/opensm.conf", buffers.sources, buffers.diagnostics);
  ASSERT_TRUE(read && read->policy);
  EXPECT_EQ(read->policy->steps.size(), 3u);
  EXPECT_EQ(buffers.diagnostics.all().size(), 0u);
}

/// OpenSM reads the file at the default place unless the option says that there is none.
TEST(FrontEnd, NoQosPolicyWhereTheOptionSaysSo) {
  for (const auto& [line, has_policy] : {std::pair("", true), std::pair("qos_policy_file (null)\n", false)}) {
    SourceSet sources;
    Diagnostics diagnostics;
    sources.provide("conf/opensm.conf", fmt::format("qos TRUE\n{}", line));
    sources.provide("conf/qos-policy.conf", "qos-ulps\ndefault : 3\nend-qos-ulps\n");
    const auto read = load("conf/opensm.conf", sources, diagnostics);
    ASSERT_TRUE(read && read->policy);
    EXPECT_EQ(read->policy->qos.has_value(), has_policy) << line;
  }
}

TEST(FrontEnd, KnowsEveryDefinitionAndUse) {
  Buffers buffers("port-group\nname: leaves\nport-guid: 0x10\nend-port-group\n");
  const auto read = load("conf/opensm.conf", buffers.sources, buffers.diagnostics);
  ASSERT_TRUE(read);
  const auto places = [&](SymbolKind kind, std::string_view name) {
    std::vector<std::string> found;
    for (const Occurrence* o : read->symbols.of(kind, name))
      found.push_back((o->definition ? "def " : "use ") + text_at(buffers.sources, o->span));
    return found;
  };
  EXPECT_EQ(
      places(SymbolKind::port_group, "leaves"),
      (std::vector<std::string>{"def conf/groups.conf:2:7 leaves", "use conf/topologies.conf:3:9 leaves"}));
  EXPECT_EQ(places(SymbolKind::topology, "7"),
            (std::vector<std::string>{"def conf/topologies.conf:2:5 7", "use conf/chain.conf:8:11 7",
                                      "use conf/chain.conf:13:11 7"}));
  EXPECT_EQ(places(SymbolKind::step, "2"),
            (std::vector<std::string>{"def conf/chain.conf:6:5 2", "use conf/chain.conf:14:14 2"}));
}

TEST(FrontEnd, KeepsNamesOfABrokenConfiguration) {
  Buffers buffers("port-group\nname: leafs\nport-guid: 0x10\nend-port-group\n");
  const auto read = load("conf/opensm.conf", buffers.sources, buffers.diagnostics);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->policy);
  const auto uses = read->symbols.of(SymbolKind::port_group, "leaves");
  ASSERT_EQ(uses.size(), 1u);
  const Span span = uses.front()->span;
  EXPECT_EQ(read->symbols.at(span.source, span.begin + 2), uses.front());
  EXPECT_EQ(read->symbols.at(span.source, 0), nullptr);
}

TEST(Recognise, TellsDialectsByContent) {
  const std::pair<std::string_view, std::optional<Dialect>> texts[] = {
      {"# nothing\n", std::nullopt},
      {"root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n", std::nullopt},
      {"config: opensm.conf\noptions:\n  routing_engine: updn\n", std::nullopt},
      {"tours 4 4 4\n", std::nullopt},
      {"The guid\nqos is not set here.\nNor is there\na daemon.\n", std::nullopt},
      {"0002c90300b00001\n0002c90300b00002\n", Dialect::guid_list},
      {"qos TRUE\nrouting_engine torus-2QoS\n", Dialect::options},
      {"port-group\n  name: a\n", Dialect::port_groups},
      {"topology\n  id: 1\n", Dialect::topologies},
      {"unicast-step\n id: 1\n topology: 1\n", Dialect::chain},
      {"torus 4 4 4\nxp_link 1 2\n", Dialect::torus},
      {"src/query_smp.c:195; umad bad status 110\n#\nvendid=0x2c9\ndevid=0xd2f2\nSwitch 4 \"S-100\"\n",
       Dialect::fabric},
      {"Default=0x7fff, ipoib : ALL=full;\n", Dialect::partitions},
      {"Switches=0x7:\n 0x1=full,\n 0x2=limited;\n", Dialect::partitions},
      {"Switches=0x7:\n 0x1 = full,\n 0x2 = limited,\n 0x3,\n 0x4;\n", Dialect::partitions},
      {"port-groups\n port-group\n name: a\n port-guid: 0x1\n", Dialect::qos_policy},
      {"qos-ulps\n default : 0\nend-qos-ulps\n", Dialect::qos_policy},
      {"BW_NAMES\n slow = 1\n", Dialect::enhanced_qos},
      {"# roots\n0x1\n0x2 # two\n", Dialect::guid_list},
      {"0x1 \"spine 1\"\n", Dialect::node_names},
      {"0x1 1 5\n", std::nullopt},
      {"osm_main.c = 0xff\n", Dialect::module_logging},
      {"TOPSYSTEM A,B\nNODE SW 8 MT4 U\n 1 -> P1\n", Dialect::ibnl},
      {"A a1\n  P1 -4x-5G-> A a2 P1\n", Dialect::topo},
      {"Switch 2 \"a\"\n[1] \"b\"[1]\n", Dialect::fabric},
  };
  for (const auto& [text, dialect] : texts) EXPECT_EQ(recognise(text).dialect, dialect) << text;
}

TEST(Recognise, TellsDialectsByName) {
  const std::pair<std::string_view, std::optional<Dialect>> names[] = {
      {"opensm.conf", Dialect::options},
      {"/etc/opensm/partitions.conf", Dialect::partitions},
      {"partitions.conf.user_ext", Dialect::partitions},
      {"torus-2QoS.conf", Dialect::torus},
      {"qos_policy.conf", Dialect::qos_policy},
      {"hop_weights", Dialect::hop_weights},
      {"MSX6036.ibnl", Dialect::ibnl},
      {"cluster.topo", Dialect::topo},
      {"opensm-subnet.lst", Dialect::fabric},
      {"passwd", std::nullopt},
      {"rch.yaml", std::nullopt},
      {"notes.txt", std::nullopt},
  };
  for (const auto& [name, dialect] : names) EXPECT_EQ(recognise_name(name), dialect) << name;
}

/// What content and name of a file come to.
std::string outcome(const std::string& name, const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  sources.provide(name, text);
  const auto linted = lint_files(std::vector{LintFile{name}}, sources, diagnostics);
  std::string told;
  for (const GuessedDialect& guess : linted.guessed)
    told += fmt::format("{} by {}: ", info(guess.dialect).name, guess.by_name ? "name" : "content");
  for (const Diagnostic& d : diagnostics.all())
    if (d.severity == Severity::error) told += fmt::format("{} ", d.rule->name);
  return told;
}

TEST(LintFiles, TakeNoTextForOptionsThatHasNone) {
  EXPECT_EQ(outcome("passwd", "root:x:0:0:root:/root:/bin/bash\n"), "unknown-file ");
  EXPECT_EQ(outcome("x", "tours 4 4 4\n"), "unknown-file ");
  EXPECT_EQ(outcome("rch.yaml", "config: opensm.conf\n"), "unknown-file ");
  EXPECT_EQ(outcome("weights", "0x11 1 5\n"), "ambiguous-file ");
  EXPECT_EQ(outcome("opensm.conf", "root:x:0:0\n"), "opensm-conf by name: no-known-option ");
  EXPECT_EQ(outcome("opensm.conf", "# all defaults\n"), "opensm-conf by name: ");
  EXPECT_EQ(outcome("partitions.conf", "# nobody\n"), "partitions by name: no-partition ");
  EXPECT_EQ(outcome("roots", "0002c90300b00001\n"), "guids by content: guid-without-prefix ");
  EXPECT_EQ(outcome("any", "Default=0x7fff : ALL=full;\n"), "partitions by content: ");
}

/// An options file linted by itself: what needs no other file is checked, what does is named.
TEST(LintFiles, CheckEnginesAndQosOfOneOptionsFile) {
  SourceSet sources;
  Diagnostics diagnostics;
  sources.provide("opensm.conf",
                  "routing_engine torus-2QoS,updm\nroot_guid_file /absent/roots\nqos_sl2vl 0\n");
  lint_files(std::vector{LintFile{"opensm.conf"}}, sources, diagnostics);
  std::set<std::string_view> rules;
  for (const Diagnostic& d : diagnostics.all()) rules.insert(d.rule->name);
  for (const std::string_view rule : {"unknown-engine", "needs-qos", "absent-file"})
    EXPECT_TRUE(rules.contains(rule)) << rule;
}

}  // namespace
}  // namespace rch::policy
