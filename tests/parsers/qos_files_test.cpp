// What the QoS policy and enhanced QoS parsers make of good text, and how they go on after mistakes.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parsers/enhanced_qos/enhanced_qos.h"
#include "parsers/qos_policy/qos_policy.h"

namespace rch::parsers {
namespace {

using testing::ElementsAre;

class QosFiles : public testing::Test {
 protected:
  qos_policy::Syntax policy(std::string text) {
    return qos_policy::parse(sources_, sources_.add("qos-policy.conf", std::move(text)), diagnostics_);
  }
  enhanced_qos::Syntax limits(std::string text) {
    return enhanced_qos::parse(sources_, sources_.add("enhanced.conf", std::move(text)), diagnostics_);
  }
  void expect_clean() {
    for (const Diagnostic& d : diagnostics_.all()) ADD_FAILURE() << render(d, sources_);
  }
  std::vector<std::string> found() {
    std::vector<std::string> names;
    for (const Diagnostic& d : diagnostics_.all()) names.emplace_back(d.rule->name);
    return names;
  }

  SourceSet sources_;
  Diagnostics diagnostics_;
};

TEST_F(QosFiles, GroupsKeepTheirPartsAndPlaces) {
  const auto syntax = policy(R"(port-groups
  port-group # comment
    name: Two  Words
    use: text: with # a comment
    port-guid: 0x11, 0x20 - 0x2f,
               0x30
    port-name: "a HCA-1/P2" , b/p0x1
    pkey: 0x8001-0x8003
    partition: P1,"P 2"
    node-type: ca,SELF
  end-port-group
end-port-groups)");
  expect_clean();
  ASSERT_EQ(syntax.groups.size(), 1U);
  const auto& group = syntax.groups[0];
  EXPECT_EQ(group.name->token.text, "Two  Words");
  EXPECT_EQ(group.name->key, "twowords");
  EXPECT_EQ(sources_.text(group.name->token.span), "Two  Words");
  EXPECT_EQ(group.use, "text: with");
  ASSERT_EQ(group.port_guids.size(), 3U);
  EXPECT_EQ(group.port_guids[1].low, 0x20U);
  EXPECT_EQ(group.port_guids[1].high, 0x2FU);
  EXPECT_EQ(sources_.text(group.port_guids[1].span), "0x20 - 0x2f");
  EXPECT_EQ(sources_.text(group.port_guids[2].span), "0x30");
  ASSERT_EQ(group.port_names.size(), 2U);
  EXPECT_EQ(group.port_names[0].node, "a HCA-1");
  EXPECT_EQ(group.port_names[0].port.value, 2U);
  EXPECT_EQ(sources_.text(group.port_names[0].span), "\"a HCA-1/P2\"");
  EXPECT_EQ(group.port_names[1].port.value, 1U);
  EXPECT_EQ(group.pkeys[0].low, 1U);
  EXPECT_EQ(group.partitions[1].text, "P 2");
  EXPECT_THAT(group.node_types, ElementsAre(qos_policy::NodeType::ca, qos_policy::NodeType::self));
}

TEST_F(QosFiles, LevelsRulesAndUlps) {
  const auto syntax = policy(R"(qos-levels
  qos-level
    name : DEFAULT
    sl:0x0f
    mtu-limit: 4
    rate-limit: 22
    packet-life: 63
    path-bits: 0-3, 7
  end-qos-level
end-qos-levels
qos-match-rules
  qos-match-rule
    source: a, "b c"
    qos-class: 7-9,11
    service-id: 0x0000000000010000-0x000000000001FFFF
    qos-level-name: DEFAULT
  end-qos-match-rule
end-qos-match-rules
qos-ulps
  Default :0
  any , service-id 1,
        5-7
        , 9 : 3
end-qos-ulps
)");
  expect_clean();
  EXPECT_EQ(syntax.levels[0].sl->value, 15U);
  EXPECT_EQ(syntax.levels[0].path_bits.size(), 2U);
  const auto& rule = syntax.rules[0];
  EXPECT_TRUE(rule.complete());
  ASSERT_EQ(rule.source.size(), 2U);
  EXPECT_EQ(rule.source[1].token.text, "b c");
  EXPECT_EQ(rule.source[1].key, "b c");
  EXPECT_EQ(rule.qos_class.size(), 2U);
  EXPECT_EQ(rule.service_id[0].high, 0x1FFFFU);
  ASSERT_EQ(syntax.ulps.size(), 1U);
  EXPECT_TRUE(syntax.ulps[0].complete());
  const auto& lines = syntax.ulps[0].lines;
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].ulp, qos_policy::Ulp::fallback);
  EXPECT_EQ(lines[1].criterion, qos_policy::Criterion::service_id);
  EXPECT_EQ(lines[1].values.size(), 3U);
  EXPECT_EQ(lines[1].sl.value, 3U);
  EXPECT_EQ(sources_.text(lines[1].sl.span), "3");
}

TEST_F(QosFiles, TwentyMistakesAreTwentyFindings) {
  const auto syntax = policy(R"(port-groups
  port-group
    name: my-port-group
    port-guid: 0x30-0x20
    port-guid: 11aa
    port-name: host1 HCA-1/P1
    port-name: host1
    node-type: SWICH
    colour: red
  end-port-group
end-port-group
qos-levels
  qos-level
    name: DEFAULT
    sl: 16
    rate-limit: 23
    mtu-limit 4
    sl: 3
  end-qos-level
  qos-lvel
    name: gold
  end-qos-level
end-qos-levels
end-port-groups
qos-ulps
  default : 1
  lustre : 2
  sdp, pkey 1 : 2
  any, target-port-guid OST1,OST2 : 2
  any, service-id 5 2
  srp : 4
  any, service-id 5 :
end-qos-ulps
stray words
# no end)");
  EXPECT_THAT(found(), testing::UnorderedElementsAre(
                           "keyword-in-name", "swapped-range", "guid-without-prefix", "unquoted-blank",
                           "bad-value", "bad-value", "unknown-qualifier", "stray-end", "number-out-of-range",
                           "rate-limit-beyond-opensm", "missing-colon", "repeated-qualifier",
                           "unknown-keyword", "missing-qualifier", "stray-end", "unknown-ulp",
                           "ulp-criterion", "placeholder", "bad-value", "ulp-criterion", "bad-value",
                           "text-outside-paragraph", "comment-without-line-end"));
  EXPECT_EQ(syntax.levels.size(), 2U);
  ASSERT_EQ(syntax.ulps.size(), 1U);
  EXPECT_EQ(syntax.ulps[0].lines.size(), 1U);
}

TEST_F(QosFiles, EndsThatAreMissingCostNothing) {
  const auto syntax = policy(R"(port-groups
  port-group
    name: a
    node-type: CA
  port-group
    name: b
    node-type: SWITCH
qos-levels
  qos-level
    name: DEFAULT
    sl: 0
qos-ulps
  sdp : 1
)");
  EXPECT_THAT(found(), ElementsAre("missing-end", "missing-end", "missing-end", "missing-end", "missing-end",
                                   "missing-end"));
  EXPECT_EQ(syntax.groups.size(), 2U);
  EXPECT_EQ(syntax.levels[0].sl->value, 0U);
  ASSERT_EQ(syntax.ulps.size(), 1U);
  EXPECT_EQ(syntax.ulps[0].lines.size(), 1U);
}

TEST_F(QosFiles, ParagraphsOutsideTheirSection) {
  const auto syntax = policy(R"(qos-level
  name: DEFAULT
  sl: 0
end-qos-level
qos-level
  name: b
  sl: 1
end-qos-level
)");
  EXPECT_THAT(found(), ElementsAre("misplaced-section"));
  EXPECT_EQ(syntax.levels.size(), 2U);
}

TEST_F(QosFiles, RateLimits) {
  const auto syntax = limits(R"(BW_NAMES   # Mbit/s
  slow=2500
  bulk  = 20000
BW_RULES
  default = all:bulk
  0x2c90000000025=5:slow,7 : bulk
  row A hosts = all:bulk, 4:slow
VPORT_BW_RULES
)");
  expect_clean();
  ASSERT_EQ(syntax.bandwidths.size(), 2U);
  EXPECT_EQ(syntax.bandwidths[1].mbps.value, 20000U);
  ASSERT_EQ(syntax.rules.size(), 3U);
  EXPECT_EQ(syntax.rules[0].kind, enhanced_qos::PortRule::fallback);
  EXPECT_FALSE(syntax.rules[0].limits[0].sl);
  EXPECT_EQ(syntax.rules[1].port, Guid(0x2c90000000025));
  ASSERT_EQ(syntax.rules[1].limits.size(), 2U);
  EXPECT_EQ(sources_.text(syntax.rules[1].limits[1].span), "7 : bulk");
  EXPECT_EQ(syntax.rules[2].who.text, "row A hosts");
  EXPECT_TRUE(syntax.vport_rules.empty());
}

TEST_F(QosFiles, MistakesInRateLimits) {
  const auto syntax = limits(R"(early = 5
bw_names
  all = 4
  slow = fast
  good = 10
BW_RULE
  default = 3:good, SL4:good, 3:good
  0x0 = 1:good
  hosts 1:good
  hosts =
    1:good
  hosts = 16:good
BW_NAMES
VPORT_BW_RULES
  hosts = 1:good
)");
  EXPECT_THAT(found(), ElementsAre("entry-outside-section", "header-case", "reserved-bandwidth", "bad-number",
                                   "unknown-header", "sl-prefix", "repeated-sl", "bad-guid", "unknown-header",
                                   "continued-definition", "number-out-of-range", "repeated-header",
                                   "group-in-vport-rules"));
  EXPECT_EQ(syntax.bandwidths.size(), 1U);
  ASSERT_EQ(syntax.rules.size(), 3U);
  EXPECT_EQ(syntax.rules[0].limits.size(), 2U);
  EXPECT_EQ(syntax.rules[1].limits.size(), 1U);
}

}  // namespace
}  // namespace rch::parsers
