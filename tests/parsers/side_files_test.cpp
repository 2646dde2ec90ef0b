// What the readers of the side files make of good lines, and that a bad line costs itself only.

#include "parsers/side_files/side_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rch::parsers::side_files {
namespace {

using testing::ElementsAre;

class SideFiles : public testing::Test {
 protected:
  SourceId add(std::string text) { return sources_.add("input", std::move(text)); }
  std::string all_rules() const {
    std::string names;
    for (const Diagnostic& d : diagnostics_.all()) names += std::string(d.rule->name) + '\n';
    return names;
  }
  /// The text after all certain repairs, which must be apart from each other.
  std::string repaired(SourceId source) const {
    std::string text(sources_.at(source).text());
    std::vector<Edit> edits;
    for (const Diagnostic& d : diagnostics_.all()) edits.insert(edits.end(), d.fixes.begin(), d.fixes.end());
    std::sort(edits.begin(), edits.end(),
              [](const Edit& a, const Edit& b) { return a.span.begin > b.span.begin; });
    for (const Edit& e : edits) text.replace(e.span.begin, e.span.end - e.span.begin, e.text);
    return text;
  }

  SourceSet sources_;
  Diagnostics diagnostics_;
};

std::vector<std::uint64_t> values(const std::vector<Number>& numbers) {
  std::vector<std::uint64_t> list;
  for (const Number& n : numbers) list.push_back(n.value);
  return list;
}

TEST_F(SideFiles, GuidListTakesGuidsGroupsAndRanks) {
  const auto members =
      parse_guid_list(sources_, add("# spines\n\n 0x11\t2 # rank\n17\nspine-group 1\ncafe\n0x12#end"),
                      {true, true}, diagnostics_);
  ASSERT_EQ(members.size(), 5U);
  EXPECT_EQ(members[0].subject.guid, Guid(0x11));
  EXPECT_EQ(members[0].rank->value, 2U);
  EXPECT_EQ(members[1].subject.guid, Guid(17));
  EXPECT_FALSE(members[2].subject.guid);
  EXPECT_EQ(members[2].subject.word.text, "spine-group");
  EXPECT_EQ(sources_.text(members[2].subject.word.span), "spine-group");
  EXPECT_EQ(members[3].subject.word.text, "cafe");
  EXPECT_EQ(members[4].subject.guid, Guid(0x12));
  EXPECT_EQ(all_rules(), "");
}

TEST_F(SideFiles, AWordOfManyHexDigitsIsAGuidWithoutItsPrefix) {
  const auto members = parse_guid_list(sources_, add("ab02c90200b00001\n"), {true, false}, diagnostics_);
  EXPECT_TRUE(members.empty());
  EXPECT_EQ(all_rules(), "guid-without-prefix\n");
}

TEST_F(SideFiles, ABadLineOfAGuidListCostsItselfOnly) {
  const SourceId text = add("0x1,\ngroup\n0x2 3\n0\n0x3 x 4\n0x4\n");
  const auto members = parse_guid_list(sources_, text, {}, diagnostics_);
  ASSERT_EQ(members.size(), 3U);
  EXPECT_EQ(members[2].subject.guid, Guid(4));
  EXPECT_EQ(all_rules(), "bad-number\nbad-guid\nextra-argument\nbad-guid\nextra-argument\n");
  EXPECT_TRUE(repaired(text).starts_with("0x1\n"));
}

TEST_F(SideFiles, IdsAreNumbersOf64Bits) {
  const auto ids =
      parse_guid_ids(sources_, add("0x11 0xffffffffffffffff\n0x12 0\n0x13\n0x14 low\n"), diagnostics_);
  ASSERT_EQ(ids.size(), 2U);
  EXPECT_EQ(ids[0].id.value, UINT64_MAX);
  EXPECT_EQ(ids[1].node.guid, Guid(0x12));
  EXPECT_EQ(all_rules(), "missing-argument\nbad-number\n");
}

TEST_F(SideFiles, HopWeightsHaveTheirRanges) {
  const auto weights = parse_hop_weights(
      sources_, add("0x11 1 255\n0x11 0 3\n0x11 255 3\n0x11 2 0\n0x11 2 256\n0x11 3 4 5\n0x11 3\n"),
      diagnostics_);
  ASSERT_EQ(weights.size(), 2U);
  EXPECT_EQ(weights[0].weight.value, 255U);
  EXPECT_EQ(sources_.text(weights[1].port.span), "3");
  EXPECT_EQ(all_rules(),
            "number-out-of-range\nnumber-out-of-range\nnumber-out-of-range\nnumber-out-of-range\n"
            "extra-argument\nmissing-argument\n");
}

TEST_F(SideFiles, GluedWordsAreToldAndTakenApart) {
  const SourceId text = add("0x11 1,3\n0x11:2:4\n0x11 3 5\n");
  EXPECT_EQ(parse_hop_weights(sources_, text, diagnostics_).size(), 1U);
  EXPECT_EQ(all_rules(), "bad-number\nbad-number\n");
  const SourceId again = add(repaired(text));
  Diagnostics none;
  EXPECT_EQ(parse_hop_weights(sources_, again, none).size(), 3U);
  EXPECT_TRUE(none.all().empty());
}

TEST_F(SideFiles, PortOrdersKeepTheirOrder) {
  const auto orders =
      parse_port_orders(sources_, add("0x11 4 3 2 1\nleaves 7\n0x12 1 2 1 x 3\n0x13\n"), diagnostics_);
  ASSERT_EQ(orders.size(), 2U);
  EXPECT_THAT(values(orders[0].ports), ElementsAre(4, 3, 2, 1));
  EXPECT_EQ(orders[1].subject.word.text, "leaves");
  EXPECT_EQ(all_rules(), "repeated-order-port\nmissing-argument\n");
}

TEST_F(SideFiles, IgnoredPortsMayLackThePort) {
  const auto ignored = parse_ignored_ports(sources_, add("0x11 4\n0x12\nx 1\n"), diagnostics_);
  ASSERT_EQ(ignored.size(), 2U);
  EXPECT_EQ(ignored[0].port->value, 4U);
  EXPECT_FALSE(ignored[1].port);
  EXPECT_EQ(all_rules(), "guid-without-port\nbad-guid\n");
}

TEST_F(SideFiles, PrefixRoutesAreHexadecimal) {
  const auto routes = parse_prefix_routes(
      sources_, add("fec0000000000010 0x12\n* 34 # any\n0xfe * more\n0 *\nfe80::1 *\nfe\n* router\n"),
      diagnostics_);
  ASSERT_EQ(routes.size(), 4U);
  EXPECT_EQ(routes[0].prefix->value, 0xfec0000000000010U);
  EXPECT_EQ(routes[0].router->value, 0x12U);
  EXPECT_FALSE(routes[1].prefix);
  EXPECT_EQ(routes[1].router->value, 0x34U);
  EXPECT_EQ(sources_.text(routes[1].span), "* 34");
  EXPECT_FALSE(routes[2].router);
  EXPECT_EQ(all_rules(), "extra-argument\nzero-wildcard\nbad-number\nmissing-argument\nbad-number\n");
  EXPECT_EQ(diagnostics_.count(Severity::warning), 2U);
}

// As OpenSM 3.3.23 and ibnetdiscover 44.0 read them; findings/node-name-map shows it.
TEST_F(SideFiles, NodeNamesEndAtAHashOrAQuote) {
  const auto names =
      parse_node_names(sources_,
                       add("0x11 \"leaf 1\" # first\n0x12\tSP-B\n0x13 leaf 3 # third\n0x14 \"open\n"
                           "0x15 \"leaf # 5\"\n0x16 a\"b\"\n0x17 \"c\" d\n"),
                       diagnostics_);
  std::vector<std::string> texts;
  for (const NodeName& name : names) {
    texts.push_back(name.name.text);
    EXPECT_EQ(sources_.text(name.name.span), name.name.text);
  }
  EXPECT_THAT(texts, ElementsAre("leaf 1", "SP-B", "leaf 3", "open", "leaf", "a", "c"));
  EXPECT_EQ(names[1].node.guid, Guid(0x12));
  EXPECT_EQ(all_rules(), "unclosed-name\nname-ends-early\nname-ends-early\nextra-argument\n");
  EXPECT_FALSE(diagnostics_.has_errors());
}

TEST_F(SideFiles, NodesWithoutANameHaveNoEffect) {
  EXPECT_TRUE(parse_node_names(sources_, add("0x11 \"\"\n0x12\n0x13 # spare\n"), diagnostics_).empty());
  EXPECT_EQ(all_rules(), "missing-argument\nmissing-argument\nmissing-argument\n");
  EXPECT_FALSE(diagnostics_.has_errors());
  EXPECT_EQ(diagnostics_.all()[2].hint, "OpenSM takes the comment for the name");
  EXPECT_TRUE(parse_node_names(sources_, add("\"x\" 1\n"), diagnostics_).empty());
  EXPECT_TRUE(diagnostics_.has_errors());
}

TEST_F(SideFiles, TypographicQuotesAreOneMistake) {
  EXPECT_EQ(parse_node_names(sources_, add("0x11 \xE2\x80\x9Cleaf\xE2\x80\x9D\n"), diagnostics_).size(), 1U);
  EXPECT_EQ(all_rules(), "typographic-character\n");
}

TEST_F(SideFiles, ModuleFlagsTakeAnySeparator) {
  const SourceId text =
      add("osm_sa.c=0x83\nosm_sm.c,3\nosm_log.c\t1\nosm_qos.c = 7\nosm_sa_path_recort.c=1\nmain.c\n"
          "main.c=256\n=3\nst.c=1 2\n");
  const auto modules = parse_module_logging(sources_, text, diagnostics_);
  ASSERT_EQ(modules.size(), 6U);
  EXPECT_EQ(modules[0].file.text, "osm_sa.c");
  EXPECT_EQ(modules[0].flags.value, 0x83U);
  EXPECT_EQ(modules[3].flags.value, 7U);
  EXPECT_EQ(all_rules(),
            "blank-before-separator\nunknown-module\nmissing-argument\nnumber-out-of-range\n"
            "missing-argument\nextra-argument\n");
  EXPECT_NE(repaired(text).find("osm_qos.c=7\n"), std::string::npos);
}

TEST_F(SideFiles, LongLinesAreToldToWhomTheyConcern) {
  const std::string guid = "0x11 ";
  parse_guid_list(sources_, add(guid + '#' + std::string(120, 'x')), {}, diagnostics_);
  ASSERT_EQ(diagnostics_.all().size(), 1U);
  EXPECT_EQ(diagnostics_.all()[0].severity, Severity::note);
  parse_guid_list(sources_, add(guid + '#' + std::string(300, 'x')), {}, diagnostics_);
  ASSERT_EQ(diagnostics_.all().size(), 2U);
  EXPECT_EQ(diagnostics_.all()[1].severity, Severity::warning);
}

TEST_F(SideFiles, TwentyMistakesAreTwentyDiagnostics) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "0x1" + std::to_string(i) + " 1 oops extra # c\n0x11 1 2\n";
  EXPECT_EQ(parse_hop_weights(sources_, add(text), diagnostics_).size(), 20U);
  EXPECT_EQ(diagnostics_.all().size(), 20U);
}

}  // namespace
}  // namespace rch::parsers::side_files
