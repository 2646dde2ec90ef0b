// What the parsers make of good text, with the place of every token.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parsers/opensm_conf/opensm_conf.h"
#include "parsers/port_groups/port_groups.h"
#include "parsers/routing_chains/routing_chains.h"
#include "parsers/topologies/topologies.h"
#include "parsers/torus_conf/torus_conf.h"

namespace rch::parsers {
namespace {

using testing::ElementsAre;
using testing::Pair;

class SyntaxTest : public testing::Test {
 protected:
  SourceId add(std::string text) { return sources_.add("input", std::move(text)); }
  void TearDown() override {
    for (const Diagnostic& d : diagnostics_.all()) ADD_FAILURE() << render(d, sources_);
  }
  /// The source text under a token must be the token.
  void expect_in_place(const Token& token) { EXPECT_EQ(sources_.text(token.span), token.text); }

  SourceSet sources_;
  Diagnostics diagnostics_;
};

TEST_F(SyntaxTest, OptionsKeepKeysValuesAndPlaces) {
  const auto syntax = opensm_conf::parse(
      sources_, add("# comment\n\n  qos TRUE # yes\nlog_prefix \"two words\"\ndaemon\t'x'\nlone"),
      diagnostics_);
  ASSERT_EQ(syntax.options.size(), 4U);
  EXPECT_EQ(syntax.options[0].key.text, "qos");
  EXPECT_EQ(syntax.options[0].value->text, "TRUE");
  EXPECT_EQ(syntax.options[1].value->text, "two words");
  EXPECT_EQ(syntax.options[2].value->text, "x");
  EXPECT_FALSE(syntax.options[3].value);
  for (const auto& option : syntax.options) {
    expect_in_place(option.key);
    if (option.value) expect_in_place(*option.value);
  }
}

TEST_F(SyntaxTest, GroupRulesOfEveryKind) {
  const auto syntax = port_groups::parse(sources_, add(R"(port-group
  name: all kinds
  use: free text, with = signs
  port-guid: 0x11, 0x12@3, 0x13@1-4/7 , 0x14@2/3-5
  port-guid-range: 0x20 - 0x2f
  port-name: hostname=h1; port=2; hca_idx=1 , hostname = h2
  port-regexp: ^[[:alnum:]]+ HCA-1:2
  union-rule: a, b c
  subtract-rule: b c , a
end-port-group
)"),
                                         diagnostics_);
  ASSERT_EQ(syntax.groups.size(), 1U);
  const auto& group = syntax.groups[0];
  EXPECT_EQ(group.name->text, "all kinds");
  EXPECT_EQ(group.use, "free text, with = signs");
  ASSERT_EQ(group.rules.size(), 6U);

  const auto& guids = std::get<port_groups::PortGuid>(group.rules[0].what).items;
  ASSERT_EQ(guids.size(), 4U);
  EXPECT_EQ(guids[0].guid, Guid(0x11));
  EXPECT_TRUE(guids[0].ports.empty());
  EXPECT_THAT(guids[1].ports, ElementsAre(Pair(3, 3)));
  EXPECT_THAT(guids[2].ports, ElementsAre(Pair(1, 4), Pair(7, 7)));
  EXPECT_THAT(guids[3].ports, ElementsAre(Pair(2, 2), Pair(3, 5)));
  EXPECT_EQ(sources_.text(guids[2].span), "0x13@1-4/7");

  const auto& range = std::get<port_groups::PortGuidRange>(group.rules[1].what);
  EXPECT_EQ(range.low, Guid(0x20));
  EXPECT_EQ(range.high, Guid(0x2f));

  const auto& hosts = std::get<port_groups::PortName>(group.rules[2].what).hosts;
  ASSERT_EQ(hosts.size(), 2U);
  EXPECT_EQ(hosts[0].hostname.text, "h1");
  EXPECT_EQ(hosts[0].port->value, 2U);
  EXPECT_EQ(hosts[0].hca_idx->value, 1U);
  EXPECT_EQ(hosts[1].hostname.text, "h2");
  EXPECT_FALSE(hosts[1].port);

  const auto& regexp = std::get<port_groups::PortRegexp>(group.rules[3].what);
  EXPECT_EQ(regexp.regexp.text, "^[[:alnum:]]+ HCA-1");
  EXPECT_EQ(regexp.port->value, 2U);

  const auto& both = std::get<port_groups::SetRule>(group.rules[4].what);
  EXPECT_TRUE(both.is_union);
  EXPECT_EQ(both.left.text, "a");
  EXPECT_EQ(both.right.text, "b c");
  expect_in_place(both.right);
  EXPECT_FALSE(std::get<port_groups::SetRule>(group.rules[5].what).is_union);
}

TEST_F(SyntaxTest, TopologiesAndSteps) {
  const auto topologies = topologies::parse(
      sources_, add("topology\nid: 0x10\nsw-grp: a\nhca-grp: b\nend-topology\n"), diagnostics_);
  ASSERT_EQ(topologies.topologies.size(), 1U);
  EXPECT_EQ(topologies.topologies[0].id->value, 16U);
  expect_in_place(*topologies.topologies[0].sw_grp);

  const auto chain = routing_chains::parse(sources_, add(R"(unicast-step
  id: 20 # comment
  use:
  engine : torus-2QoS
  topology: 1
  config: dir/step file.conf
  fallback-to: 3
  path-bit: 0 - 1
end-unicast-step)"),
                                           diagnostics_);
  ASSERT_EQ(chain.steps.size(), 1U);
  const auto& step = chain.steps[0];
  EXPECT_EQ(step.id->value, 20U);
  EXPECT_EQ(step.use->text, "");
  EXPECT_EQ(step.engine->text, "torus-2QoS");
  EXPECT_EQ(step.topology->value, 1U);
  EXPECT_EQ(step.config->text, "dir/step file.conf");
  EXPECT_EQ(step.fallback_to->value, 3U);
  EXPECT_EQ(step.path_bit->low, 0U);
  EXPECT_EQ(step.path_bit->high, 1U);
  expect_in_place(*step.config);
}

TEST_F(SyntaxTest, TorusStatements) {
  const auto syntax = torus_conf::parse(
      sources_,
      add("  # comment\nmesh 6 5t 1M # tail\nxm_link\t0x20 0x21\nz_dateline -2\nnext_seed\nport_order 3 1\n"),
      diagnostics_);
  ASSERT_EQ(syntax.statements.size(), 5U);
  const auto& size = std::get<torus_conf::Size>(syntax.statements[0].what);
  EXPECT_EQ(size.radix[0].value, 6U);
  EXPECT_THAT(size.wraps, ElementsAre(false, true, false));
  const auto& link = std::get<torus_conf::Link>(syntax.statements[1].what);
  EXPECT_EQ(link.axis, 0U);
  EXPECT_FALSE(link.plus);
  EXPECT_EQ(link.to, Guid(0x21));
  EXPECT_EQ(sources_.text(link.to_span), "0x21");
  const auto& dateline = std::get<torus_conf::Dateline>(syntax.statements[2].what);
  EXPECT_EQ(dateline.axis, 2U);
  EXPECT_EQ(dateline.value, -2);
  EXPECT_TRUE(std::holds_alternative<torus_conf::NextSeed>(syntax.statements[3].what));
  EXPECT_EQ(std::get<torus_conf::PortOrder>(syntax.statements[4].what).ports.size(), 2U);
}

}  // namespace
}  // namespace rch::parsers
