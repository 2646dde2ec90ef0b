// Whatever the text, a parser ends, says the same twice, and points into the text.

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "parsers/enhanced_qos/enhanced_qos.h"
#include "parsers/ibnl/ibnl.h"
#include "parsers/opensm_conf/opensm_conf.h"
#include "parsers/port_groups/port_groups.h"
#include "parsers/qos_policy/qos_policy.h"
#include "parsers/routing_chains/routing_chains.h"
#include "parsers/side_files/side_files.h"
#include "parsers/topo/topo.h"
#include "parsers/topo_config/topo_config.h"
#include "parsers/topologies/topologies.h"
#include "parsers/torus_conf/torus_conf.h"
#include "support/property.h"

namespace rch::parsers {
namespace {

using Parse = void (*)(const SourceSet&, SourceId, Diagnostics&);
constexpr Parse kParsers[] = {
    [](const SourceSet& s, SourceId id, Diagnostics& d) { opensm_conf::parse(s, id, d); },
    [](const SourceSet& s, SourceId id, Diagnostics& d) { port_groups::parse(s, id, d); },
    [](const SourceSet& s, SourceId id, Diagnostics& d) { topologies::parse(s, id, d); },
    [](const SourceSet& s, SourceId id, Diagnostics& d) { routing_chains::parse(s, id, d); },
    [](const SourceSet& s, SourceId id, Diagnostics& d) { torus_conf::parse(s, id, d); },
    [](const SourceSet& s, SourceId id, Diagnostics& d) { ibnl::parse(s, id, d); },
    [](const SourceSet& s, SourceId id, Diagnostics& d) { topo::parse(s, id, d); },
    [](const SourceSet& s, SourceId id, Diagnostics& d) { qos_policy::parse(s, id, d); },
    [](const SourceSet& s, SourceId id, Diagnostics& d) { enhanced_qos::parse(s, id, d); },
    [](const SourceSet& s, SourceId id, Diagnostics& d) {
      side_files::parse_guid_list(s, id, {true, true}, d);
    },
    [](const SourceSet& s, SourceId id, Diagnostics& d) { side_files::parse_port_orders(s, id, d); },
    [](const SourceSet& s, SourceId id, Diagnostics& d) { side_files::parse_prefix_routes(s, id, d); },
    [](const SourceSet& s, SourceId id, Diagnostics& d) { side_files::parse_node_names(s, id, d); },
    [](const SourceSet& s, SourceId id, Diagnostics& d) { side_files::parse_module_logging(s, id, d); },
    [](const SourceSet& s, SourceId id, Diagnostics& d) { topo_config::parse(s, id, d); },
};

/// Pieces that mean something to one dialect or another, put together at random.
const std::vector<std::string> kPieces = {"port-group\n",
                                          "end-port-group\n",
                                          "topology",
                                          "end-topology\n",
                                          "unicast-step\n",
                                          "end-unicast-step\n",
                                          "name",
                                          ":",
                                          " ",
                                          "\t",
                                          "\n",
                                          "\r\n",
                                          "#",
                                          "port-guid: ",
                                          "port-guid-range: ",
                                          "port-name: hostname=",
                                          "port-regexp: ",
                                          "union-rule: ",
                                          "path-bit: ",
                                          "engine: minhop\n",
                                          "id: 1\n",
                                          "id 2\n",
                                          "0x11",
                                          "@",
                                          "/",
                                          "-",
                                          ",",
                                          ";",
                                          "=",
                                          "torus 3 3 1\n",
                                          "mesh",
                                          "xp_link ",
                                          "x_dateline ",
                                          "next_seed\n",
                                          "port_order ",
                                          "SYSTEM ",
                                          "TOPSYSTEM",
                                          "NODE SW 8 MT1 U1\n",
                                          "SUBSYSTEM BB b1",
                                          "CFG:",
                                          "Box b1",
                                          " P1 ",
                                          "->",
                                          "-4x-",
                                          "5G->",
                                          "qos TRUE\n",
                                          "lmc",
                                          "port-groups\n",
                                          "end-port-groups\n",
                                          "qos-levels\n",
                                          "qos-level\n",
                                          "end-qos-level\n",
                                          "qos-match-rule\n",
                                          "qos-ulps\n",
                                          "end-qos-ulps\n",
                                          "0x11,1,0x12,2,Any,Active\n",
                                          "No-discover",
                                          "vlarb-scope\n",
                                          "sl: ",
                                          "source: ",
                                          "port-name: a/P1",
                                          "sl2vl-table: ",
                                          "any, pkey ",
                                          "default : 1",
                                          "BW_NAMES\n",
                                          "BW_RULES\n",
                                          "default = ",
                                          "all:",
                                          "\"",
                                          "'",
                                          "\xE2\x80\x9C",
                                          "\xE2\x80\x93",
                                          "\xEF\xBB\xBF",
                                          "a",
                                          "[[:alpha:]]",
                                          "(",
                                          "*"};

std::vector<std::string> run(Parse parse, const std::string& text) {
  SourceSet sources;
  const SourceId id = sources.add("input", text);
  Diagnostics diagnostics;
  parse(sources, id, diagnostics);
  std::vector<std::string> reports;
  for (const Diagnostic& d : diagnostics.all()) {
    RC_ASSERT(d.span.source == id);
    RC_ASSERT(d.span.begin <= d.span.end && d.span.end <= text.size());
    for (const Label& label : d.labels)
      RC_ASSERT(label.span.begin <= label.span.end && label.span.end <= text.size());
    reports.push_back(render(d, sources));
  }
  return reports;
}

TEST(Parsers, TakeAnyText) {
  EXPECT_TRUE(test::check("pieces of all dialects in any order", [] {
    const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces));
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    for (const Parse parse : kParsers) RC_ASSERT(run(parse, text) == run(parse, text));
  }));
}

TEST(Parsers, TakeAnyBytes) {
  EXPECT_TRUE(rc::check("random bytes", [](const std::string& text) {
    for (const Parse parse : kParsers) run(parse, text);
  }));
}

/// A misspelt keyword alone begins nothing: no missing end and no missing qualifier follow from it.
TEST(Parsers, ForgetAMisspeltKeywordWithoutContent) {
  SourceSet sources;
  Diagnostics diagnostics;
  const auto syntax = topologies::parse(
      sources, sources.add("input", "topolgy\ntopology\n  id: 1\n  sw-grp: a\n  hca-grp: b\nend-topology\n"),
      diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_EQ(diagnostics.all()[0].rule->name, "unknown-keyword");
  EXPECT_EQ(syntax.topologies.size(), 1U);
}

/// A bad line costs itself: the steps round it are read as if it were not there.
TEST(Parsers, LoseNothingToABadLine) {
  EXPECT_TRUE(test::check("a stray line between steps", [] {
    const auto count = *rc::gen::inRange(1, 8);
    const auto bad = *rc::gen::inRange(0, count);
    std::string text;
    for (int i = 0; i < count; ++i) {
      if (i == bad) text += "some stray words here\n";
      text += "unicast-step\n  id: " + std::to_string(i + 1) + "\n  engine: minhop\nend-unicast-step\n";
    }
    SourceSet sources;
    Diagnostics diagnostics;
    const auto syntax = routing_chains::parse(sources, sources.add("input", text), diagnostics);
    RC_ASSERT(diagnostics.all().size() == 1U);
    RC_ASSERT(syntax.steps.size() == static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
      RC_ASSERT(syntax.steps[static_cast<std::size_t>(i)].id->value == static_cast<std::uint64_t>(i + 1));
  }));
}

}  // namespace
}  // namespace rch::parsers
