// Files of assertions, the points that they name, and what cables and switches join.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "assertions/connection.h"
#include "assertions/judge.h"
#include "assertions/points.h"
#include "support/small_fabrics.h"

namespace rch::assertions {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Parsed {
  parsers::assertions::File file;
  std::vector<std::string> findings;  ///< `rule: message`
};

Parsed parse(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  Parsed parsed{parsers::assertions::parse(sources, sources.add("tests.yaml", text), diagnostics), {}};
  for (const Diagnostic& d : diagnostics.all())
    parsed.findings.push_back(fmt::format("{}: {}", d.rule->name, d.message));
  return parsed;
}

TEST(Assertions, AreReadWithTheirNames) {
  const Parsed parsed = parse(
      "groups: {a: [node:x, lid:3]}\ntests:\n  - {name: first, isolated: [group:a, node:y]}\n"
      "  - reaches: {from: all, to: [node:x], hops: 4}\n  - survives: switch\n  - link_load: 7\n  - proven: "
      "true\n");
  EXPECT_THAT(parsed.findings, IsEmpty());
  ASSERT_THAT(parsed.file.tests, SizeIs(5));
  EXPECT_EQ(parsed.file.tests[0].name, "first");
  EXPECT_EQ(parsed.file.tests[1].name, "reaches 2");
  EXPECT_EQ(std::get<parsers::assertions::Reaches>(parsed.file.tests[1].what).hops->value, 4U);
  EXPECT_EQ(std::get<parsers::assertions::Survives>(parsed.file.tests[2].what).part,
            parsers::assertions::Survives::Part::sw);
}

// An assertion that is not judged must not count as one that holds.
TEST(Assertions, WhatSaysNothingIsAnError) {
  const auto finding = [](const std::string& text) {
    const Parsed parsed = parse(text);
    return parsed.findings.empty() ? std::string() : parsed.findings.front();
  };
  EXPECT_THAT(finding(""), HasSubstr("test-incomplete"));
  EXPECT_THAT(finding("tests: []\n"), HasSubstr("test-incomplete"));
  EXPECT_THAT(finding("tests:\n  - name: only a name\n"), HasSubstr("test-incomplete"));
  EXPECT_THAT(finding("tests:\n  - isolatd: [all, all]\n"), HasSubstr("test-unknown-key"));
  EXPECT_THAT(finding("tests:\n  - isolated: [all]\n"), HasSubstr("test-incomplete"));
  EXPECT_THAT(finding("tests:\n  - isolated: [all, []]\n"), HasSubstr("test-incomplete"));
  EXPECT_THAT(finding("tests:\n  - {isolated: [all, all], proven: true}\n"), HasSubstr("test-repeated-key"));
  EXPECT_THAT(finding("tests:\n  - reaches: {from: all}\n"), HasSubstr("test-incomplete"));
  EXPECT_THAT(finding("tests:\n  - reaches: {from: all, to: all, hops: few}\n"), HasSubstr("test-bad-value"));
  EXPECT_THAT(finding("tests:\n  - routed: {to: all}\n"), HasSubstr("test-incomplete"));
  EXPECT_THAT(finding("tests:\n  - rank: {of: all}\n"), HasSubstr("test-incomplete"));
  EXPECT_THAT(finding("tests:\n  - rank: {of: all, is: low}\n"), HasSubstr("test-bad-value"));
  EXPECT_THAT(finding("tests:\n  - roots: []\n"), HasSubstr("test-incomplete"));
  EXPECT_THAT(finding("tests:\n  - survives: host\n"), HasSubstr("test-bad-value"));
  EXPECT_THAT(finding("tests:\n  - proven: false\n"), HasSubstr("test-bad-value"));
  EXPECT_THAT(finding("tests: {proven: true}\n"), HasSubstr("test-wrong-shape"));
  EXPECT_THAT(finding("tests:\n  - isolated: all\n"), HasSubstr("test-wrong-shape"));
  for (const std::string name : {"reaches", "routed", "rank", "survives"})
    EXPECT_THAT(finding("tests:\n  - " + name + ":\n"), HasSubstr("test-wrong-shape")) << name;
  EXPECT_THAT(finding("tests: [\n"), HasSubstr("test-no-yaml"));
}

TEST(Points, NamePortsInEachForm) {
  const fabric::Fabric fabric = test::build(test::clos(2, 1, 2));
  std::map<std::string, std::vector<std::string>> groups{
      {"some", {"lid:4", "group:more"}}, {"more", {"all"}}, {"round", {"group:round"}}};
  const PointFinder finder(fabric, groups);
  const fabric::EndPort& host = fabric.end_ports().front();
  const fabric::Node& node = fabric.node(fabric.port(host.port).node);
  for (const std::string& word :
       {fmt::format("node:{}", node.description), fmt::format("lid:{}", host.lid),
        fmt::format("guid:{}", fabric.port(host.port).guid), fmt::format("guid:{}", node.guid),
        fmt::format("port:{}/1", node.description), fmt::format("port:{}/1", node.guid)}) {
    SCOPED_TRACE(word);
    const auto found = finder.find(word);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_THAT(*found, ElementsAre(host.port));
  }
  EXPECT_THAT(*finder.find("all"), SizeIs(fabric.end_ports().size()));
  EXPECT_THAT(*finder.find("group:some"), SizeIs(testing::Ge(fabric.end_ports().size())));
  EXPECT_THAT(*finder.find("pattern:switch*"), SizeIs(3));
  for (const std::string word : {"node:nobody", "pattern:x*", "lid:999", "lid:x", "guid:0x7",
                                 "port:switch 0/1", "group:none", "group:round", "host:x", "", "all:"})
    EXPECT_FALSE(finder.find(word)) << word;
}

/// Judges tests about a fabric whose tables route nothing but what a test adds.
struct Judged {
  fabric::Fabric fabric;
  fabric::RoutingTables tables;
  std::function<Result<Subject::Other>(const std::string&)> read_plan{};
  std::vector<std::string> findings{};
  std::string engine{};
  std::vector<std::uint32_t> ranks{};

  explicit Judged(const test::Shape& shape) : fabric(test::build(shape)) {
    tables.lfts = fabric::ForwardingTables(fabric.switch_count(), fabric.max_lid());
    fabric::RoutedStep& step = tables.steps.emplace_back();
    step.engine = "updn";
    step.switches = IdSet<SwitchId>(fabric.switch_count(), true);
    step.lids = IdSet<Lid>(fabric.max_lid().index() + 1, true);
  }

  std::string node(std::size_t host) const {
    return fmt::format("guid:{}", fabric.port(fabric.end_ports()[host].port).guid);
  }
  /// Why the only test fails; empty: it does not.
  std::string failure(const std::string& test, const std::string& groups = "") {
    SourceSet sources;
    Diagnostics diagnostics;
    const auto file = parsers::assertions::parse(
        sources, sources.add("tests.yaml", groups + "tests:\n  - " + test + "\n"), diagnostics);
    const auto outcomes = judge(file,
                                {.fabric = fabric,
                                 .tables = tables,
                                 .engine = engine,
                                 .ranks = ranks,
                                 .why_unproven = {},
                                 .read_plan = read_plan},
                                diagnostics);
    findings.clear();
    for (const Diagnostic& d : diagnostics.all())
      findings.push_back(fmt::format("{}: {}", d.rule->name, d.message));
    return outcomes.size() == 1 ? outcomes.front().failure : "no outcome";
  }
};

/// One switch with two hosts that have two LIDs each.
struct TwoHosts : Judged {
  TwoHosts() : Judged({.hosts = {2}, .cables = {}, .lmc = 1}) {}
  void route(std::size_t host, unsigned offset) {
    const fabric::EndPort& end = fabric.end_ports()[host];
    tables.lfts.row(end.sw)[end.lid.index() + offset] = end.attach.value;
  }
};

TEST(Judge, APortIsReachedByAllItsLids) {
  TwoHosts two;
  const std::string test = fmt::format("reaches: {{from: \"{}\", to: \"{}\"}}", two.node(0), two.node(1));
  two.route(1, 0);
  EXPECT_THAT(two.failure(test), HasSubstr("at LID"));
  two.route(1, 1);
  EXPECT_EQ(two.failure(test), "");
}

TEST(Judge, AnEntryThatNoSwitchHasIsOfNoEngine) {
  TwoHosts two;
  const std::string test = fmt::format("routed: {{to: \"{}\", engine: updn}}", two.node(1));
  EXPECT_THAT(two.failure(test), HasSubstr("no switch has an entry"));
  two.route(1, 0);
  EXPECT_THAT(two.failure(test), HasSubstr("no switch has an entry"));
  two.route(1, 1);
  EXPECT_EQ(two.failure(test), "");
}

TEST(Judge, RootsAreExactlyThoseThatAreNamed) {
  Judged tree(test::clos(3, 2, 1));  // leaves are switches 0 to 2, spines 3 and 4
  const std::string both = "roots: [\"node:switch 3\", \"node:switch 4\"]";
  EXPECT_THAT(tree.failure(both), HasSubstr("not known"));
  const std::vector<Guid> spines{tree.fabric.node(SwitchId(3)).guid, tree.fabric.node(SwitchId(4)).guid};
  tree.ranks = ranks_below(tree.fabric, spines);
  EXPECT_THAT(tree.ranks, ElementsAre(1, 1, 1, 0, 0));
  EXPECT_EQ(tree.failure(both), "");
  EXPECT_THAT(tree.failure("roots: \"node:switch 3\""),
              HasSubstr("`switch 4` (0x0000000000100020) is a root, too"));
  EXPECT_THAT(tree.failure("roots: \"pattern:switch *\""), HasSubstr("has rank 1"));
  EXPECT_THAT(tree.failure("roots: all"), HasSubstr("is no switch"));
  EXPECT_EQ(tree.failure("rank: {of: \"pattern:switch [012]\", is: 1}"), "");
  EXPECT_THAT(tree.failure("rank: {of: \"node:switch 0\", is: 2}"), HasSubstr("has rank 1"));
  tree.ranks[0] = Subject::kNoRank;
  EXPECT_THAT(tree.failure("rank: {of: \"node:switch 0\", is: 1}"), HasSubstr("no known rank"));
  EXPECT_THAT(ranks_below(tree.fabric, {}), IsEmpty());
}

TEST(Judge, TheEngineIsThatOfAllTables) {
  TwoHosts two;
  EXPECT_THAT(two.failure("engine: updn"), HasSubstr("not known"));
  two.engine = "ftree";
  EXPECT_THAT(two.failure("engine: updn"), HasSubstr("the engine is ftree"));
  EXPECT_EQ(two.failure("engine: ftree"), "");
}

// An assertion about no pair of ports would hold whatever the tables are.
TEST(Judge, OnePortIsNoPair) {
  TwoHosts two;
  for (const std::string form :
       {"reaches: {{from: \"{0}\", to: \"{0}\"}}", "survives: {{any: switch, between: \"{0}\"}}",
        "survives: {{any: cable, between: \"{0}\"}}"})
    EXPECT_THAT(two.failure(fmt::format(fmt::runtime(form), two.node(0))), HasSubstr("is the only port"));
}

// Two switches that no cable joins: without either, one port is left, which is joined to itself.
TEST(Judge, PortsThatNothingJoinsSurviveNothing) {
  Judged split({.hosts = {1, 1}, .cables = {}});
  for (const std::string part : {"switch", "cable"})
    EXPECT_THAT(split.failure("survives: " + part), HasSubstr("as it is")) << part;
}

TEST(Judge, AGroupThatNamesNothingIsAnErrorInItsPlace) {
  TwoHosts two;
  two.failure("survives: cable", "groups: {unused: [node:nobody], other: [group:unused]}\n");
  EXPECT_THAT(two.findings, ElementsAre("test-bad-point: no node of the fabric is called `nobody`"));
  two.failure("survives: {any: cable, between: group:other}",
              "groups: {unused: [node:nobody], other: [group:unused]}\n");
  EXPECT_THAT(two.findings, SizeIs(1));
}

TEST(Judge, ServiceLevelsOfAPlanThatHasNotAllPathsAreNotTheSame) {
  TwoHosts two;
  EXPECT_THAT(two.failure("same_sls: x"), HasSubstr("only the service levels of a plan"));
  two.read_plan = [](const std::string&) { return fail(ErrorKind::usage, "cannot read `x`"); };
  EXPECT_THAT(two.failure("same_sls: x"), HasSubstr("cannot be read"));
  EXPECT_THAT(two.findings, ElementsAre("test-bad-value: cannot read `x`"));
  const auto of = [](const test::Shape& shape) {
    return [shape](const std::string&) -> Result<Subject::Other> {
      auto other = std::make_shared<Judged>(shape);
      return Subject::Other{{other, &other->fabric}, {other, &other->tables}};
    };
  };
  two.read_plan = of({.hosts = {1}, .cables = {}, .lmc = 1});
  EXPECT_THAT(two.failure("same_sls: x"), HasSubstr("has no path to"));
  two.read_plan = of({.hosts = {2}, .cables = {}, .lmc = 0});
  EXPECT_THAT(two.failure("same_sls: x"), HasSubstr("at all its LIDs"));
  two.read_plan = of({.hosts = {2}, .cables = {}, .lmc = 1});
  EXPECT_EQ(two.failure("same_sls: x"), "");
}

// Groups of groups have as many ports as the fabric, however often a group is named.
TEST(Points, AGroupIsFollowedOnce) {
  const fabric::Fabric fabric = test::build(test::clos(2, 1, 2));
  std::map<std::string, std::vector<std::string>> groups{{"0", {"all"}}};
  for (unsigned i = 1; i < 60; ++i)
    groups[std::to_string(i)] = std::vector<std::string>(4, fmt::format("group:{}", i - 1));
  EXPECT_THAT(*PointFinder(fabric, groups).find("group:59"), SizeIs(fabric.end_ports().size()));
}

/// Walks all cables but those that are left out.
bool joined(const fabric::Fabric& fabric, PortId a, PortId b, SwitchId without, PortId cut) {
  std::vector<std::uint8_t> seen(fabric.switch_count());
  const auto at = [&](PortId end) { return *fabric.switch_id(fabric.port(fabric.port(end).peer).node); };
  if (at(a) == without || at(b) == without) return true;
  std::vector<SwitchId> waiting{at(a)};
  seen[at(a).index()] = 1;
  while (!waiting.empty()) {
    const SwitchId sw = waiting.back();
    waiting.pop_back();
    for (unsigned p = 1; p <= fabric.node(sw).num_ports; ++p) {
      const PortId port = fabric.port_id(sw, PortNum(static_cast<std::uint8_t>(p))),
                   peer = fabric.port(port).peer;
      if (peer.is_none() || port == cut || peer == cut) continue;
      const auto next = fabric.switch_id(fabric.port(peer).node);
      if (!next || *next == without || seen[next->index()] != 0) continue;
      seen[next->index()] = 1;
      waiting.push_back(*next);
    }
  }
  return seen[at(b).index()] != 0;
}

RC_GTEST_PROP(Connection, IsCutWhereNoWalkComesThrough, (std::uint64_t seed)) {
  const fabric::Fabric fabric = test::build(test::random_shape(seed, 7));
  std::vector<PortId> ends;
  for (const fabric::EndPort& end : fabric.end_ports())
    if (end.port.value % 3 != seed % 3) ends.push_back(end.port);
  bool by_cable = false, by_switch = false;
  for (const PortId a : ends)
    for (const PortId b : ends) {
      const bool apart = !joined(fabric, a, b, SwitchId::none(), PortId::none());
      by_cable = by_cable || apart;
      by_switch = by_switch || apart;
      for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
        const fabric::Port& port = fabric.port(PortId(p));
        if (port.peer.is_none() || !fabric.is_switch(port.node) ||
            !fabric.is_switch(fabric.port(port.peer).node))
          continue;
        by_cable = by_cable || !joined(fabric, a, b, SwitchId::none(), PortId(p));
      }
      for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
        by_switch = by_switch || !joined(fabric, a, b, SwitchId(s), PortId::none());
    }
  RC_ASSERT(cut_by_a_cable(fabric, ends).empty() == !by_cable);
  RC_ASSERT(cut_by_a_switch(fabric, ends).empty() == !by_switch);
}

}  // namespace
}  // namespace rch::assertions
