// Ranges, matching and shadows against brute force, VL tables, rate limits.

#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "policy/build/enhanced_qos/build_enhanced_qos.h"
#include "policy/build/qos/build_qos.h"
#include "policy/lint/rules/enhanced_qos.h"
#include "policy/lint/shadows.h"
#include "policy/model/vl_tables.h"
#include "support/property.h"

namespace rch::policy::qos {
namespace {

using testing::ElementsAre;
using testing::Pair;

// Ranges.

Ranges any_ranges(std::uint64_t universe) {
  const auto count = *rc::gen::inRange(1, 4);
  std::vector<Ranges::Range> ranges;
  for (int i = 0; i < count; ++i) {
    const auto a = *rc::gen::inRange<std::uint64_t>(0, universe);
    const auto b = *rc::gen::inRange<std::uint64_t>(0, universe);
    ranges.push_back({std::min(a, b), std::max(a, b)});
  }
  return Ranges(std::move(ranges));
}

TEST(Ranges, AreSortedAndMerged) {
  EXPECT_THAT(Ranges({{7, 9}, {1, 2}, {3, 3}, {8, 20}}).all(), ElementsAre(Pair(1, 3), Pair(7, 20)));
  const std::uint64_t last = ~std::uint64_t{0};
  EXPECT_THAT(Ranges({{0, last}, {5, last}, {last, last}}).all(), ElementsAre(Pair(0, last)));
}

TEST(Ranges, ContainWhatTheySay) {
  EXPECT_TRUE(test::check("against a set of numbers", [] {
    const Ranges a = any_ranges(12), b = any_ranges(12);
    std::set<std::uint64_t> in_a, in_b;
    for (std::uint64_t n = 0; n < 14; ++n) {
      if (a.contains(n)) in_a.insert(n);
      if (b.contains(n)) in_b.insert(n);
    }
    RC_ASSERT(a.contains(b) == std::includes(in_a.begin(), in_a.end(), in_b.begin(), in_b.end()));
    Ranges both = a;
    both.add(b);
    for (std::uint64_t n = 0; n < 14; ++n)
      RC_ASSERT(both.contains(n) == (in_a.contains(n) || in_b.contains(n)));
  }));
}

// Shadows: every query of a small world is tried.

constexpr std::uint16_t kPkeys[][2] = {{1, 2}, {2, 3}, {1, 3}, {3, 3}};

std::vector<Port> world() {
  std::vector<Port> ports;
  for (std::uint64_t i = 0; i < 4; ++i)
    ports.push_back({Guid(i + 1),
                     i == 3 ? fabric::NodeType::sw : fabric::NodeType::ca,
                     i < 2 ? "a" : "b",
                     static_cast<std::uint8_t>(i % 2),
                     kPkeys[i],
                     {},
                     i == 0});
  return ports;
}

/// Which rules some query gets; the last is the default.
std::set<std::size_t> reached(const QosPolicy& policy) {
  std::set<std::size_t> found;
  const auto ports = world();
  const auto numbers = [](std::uint64_t count) {
    std::vector<std::optional<std::uint64_t>> all(1);
    for (std::uint64_t n = 0; n < count; ++n) all.push_back(n);
    return all;
  };
  for (const auto& service : numbers(8))
    for (const auto& qos_class : numbers(4))
      for (const auto& pkey : numbers(4))
        for (const Port& source : ports)
          for (const Port& destination : ports) {
            Query query{service, {}, {}, source, destination};
            if (qos_class) query.qos_class = static_cast<std::uint16_t>(*qos_class);
            if (pkey) query.pkey = static_cast<std::uint16_t>(*pkey | 0x8000);
            const MatchRule* rule = match(policy, query).rule;
            found.insert(rule == nullptr ? policy.rules.size()
                                         : static_cast<std::size_t>(rule - policy.rules.data()));
          }
  return found;
}

PortSet any_ports() {
  PortSet ports;
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      ports.guids = any_ranges(6);
      break;
    case 1:
      ports.names.push_back({"a", *rc::gen::inRange<std::uint8_t>(0, 2)});
      break;
    case 2:
      ports.pkeys = any_ranges(4);
      break;
    case 3:
      ports.node_types = *rc::gen::elementOf(std::vector<std::uint8_t>{
          type_bit(fabric::NodeType::ca), type_bit(fabric::NodeType::sw), kAllTypes});
      break;
    case 4:
      ports.sm = true;
      break;
    default:
      break;  // empty
  }
  return ports;
}

std::vector<std::size_t> any_groups(std::size_t count) {
  return *rc::gen::container<std::vector<std::size_t>>(*rc::gen::inRange<std::size_t>(1, 3),
                                                       rc::gen::inRange<std::size_t>(0, count));
}

QosPolicy any_policy() {
  QosPolicy policy;
  policy.levels.resize(1);
  for (int i = 0; i < 4; ++i) policy.groups.push_back(any_ports());
  const int count = *rc::gen::inRange(1, 7);
  for (int i = 0; i < count; ++i) {
    MatchRule& rule = policy.rules.emplace_back();
    const int criteria = *rc::gen::inRange(0, 32);
    if (criteria & 1) rule.service_ids = any_ranges(8);
    if (criteria & 2) rule.qos_classes = any_ranges(4);
    if (criteria & 4) rule.pkeys = any_ranges(4);
    if (criteria & 8) rule.source = any_groups(4);
    if (criteria & 16) rule.destination = any_groups(4);
  }
  return policy;
}

TEST(Shadows, AreNeverReached) {
  EXPECT_TRUE(test::check("of any rules", [] {
    const QosPolicy policy = any_policy();
    const auto found = find_shadows(policy);
    if (found.empty()) return;
    const auto queries = reached(policy);
    for (const Shadow& shadow : found) {
      RC_ASSERT(!queries.contains(shadow.rule));
      RC_ASSERT(!shadow.by || *shadow.by < shadow.rule);
    }
  }));
}

/// Among rules with one list of numbers each, every unreachable one is found.
TEST(Shadows, AreAllFoundAmongLists) {
  EXPECT_TRUE(test::check("of rules with one criterion", [] {
    QosPolicy policy;
    policy.levels.resize(1);
    const int count = *rc::gen::inRange(1, 9);
    for (int i = 0; i < count; ++i) {
      MatchRule& rule = policy.rules.emplace_back();
      const int criterion = *rc::gen::inRange(0, 3);
      (criterion == 0   ? rule.service_ids
       : criterion == 1 ? rule.qos_classes
                        : rule.pkeys) = any_ranges(criterion == 0 ? 8 : 4);
    }
    const auto queries = reached(policy);
    std::set<std::size_t> shadowed;
    for (const Shadow& shadow : find_shadows(policy)) shadowed.insert(shadow.rule);
    for (std::size_t rule = 0; rule < policy.rules.size(); ++rule)
      RC_ASSERT(shadowed.contains(rule) == !queries.contains(rule));
  }));
}

TEST(Shadows, ByAllPortsAndByGroupsTogether) {
  QosPolicy policy;
  policy.levels.resize(1);
  policy.groups.resize(4);
  policy.groups[0].guids = Ranges({{1, 5}});
  policy.groups[1].guids = Ranges({{6, 9}});
  policy.groups[2].guids = Ranges({{4, 7}});
  policy.groups[3].node_types = kAllTypes;
  policy.rules.resize(5);
  policy.rules[0].destination = {0};
  policy.rules[1].destination = {1};
  policy.rules[2].destination = {2};  // by 0 and 1 together
  policy.rules[3].destination = {3};
  policy.rules[4].destination = {3};
  policy.rules[4].service_ids = Ranges({{1, 1}});  // by 3
  const auto found = find_shadows(policy);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].rule, 2U);
  EXPECT_TRUE(found[0].together);
  EXPECT_EQ(found[1].rule, 4U);
  EXPECT_EQ(found[1].by, 3U);
  EXPECT_FALSE(found[1].together);
}

/// A hundred thousand lines, each a step wider than the one before.
TEST(Shadows, CostLittleForManyLines) {
  QosPolicy policy;
  policy.levels.resize(1);
  for (std::uint64_t i = 0; i < 100'000; ++i)
    policy.rules.emplace_back().service_ids = Ranges({{2 * (i % 50'000), 2 * (i % 50'000) + i / 50'000}});
  EXPECT_TRUE(find_shadows(policy).empty());
}

// The whole of a policy.

struct Built {
  SourceSet sources;
  Diagnostics diagnostics;
  Symbols symbols;
  FileReader files{sources, diagnostics};
  QosPolicy policy;
};

void build(Built& built, std::string text, const KnownPartitions* partitions = nullptr) {
  const SourceId source = built.sources.add("qos-policy.conf", std::move(text));
  const BuildContext context{built.files, built.diagnostics, built.symbols};
  const auto syntax = parsers::qos_policy::parse(built.sources, source, built.diagnostics);
  built.policy = build_qos(syntax, source, partitions, context);
}

TEST(QosPolicy, TurnsUlpLinesIntoRules) {
  Built built;
  build(built, R"(qos-ulps
  default : 1
  rds, port-num 5-6 : 2
  iser : 2
  any, pkey 0x8001-0x8003 : 3
end-qos-ulps
)");
  ASSERT_TRUE(built.diagnostics.all().empty()) << render(built.diagnostics.all()[0], built.sources);
  ASSERT_EQ(built.policy.rules.size(), 3U);
  EXPECT_THAT(built.policy.rules[0].service_ids.all(), ElementsAre(Pair(0x1060005, 0x1060006)));
  EXPECT_THAT(built.policy.rules[1].service_ids.all(), ElementsAre(Pair(0x1060CBC, 0x1060CBC)));
  EXPECT_THAT(built.policy.rules[2].pkeys.all(), ElementsAre(Pair(1, 3)));
  EXPECT_EQ(built.policy.levels[built.policy.fallback].sl, 1);
  EXPECT_EQ(built.policy.rules[0].level, built.policy.rules[1].level);
  const auto uses = sl_uses(built.policy);
  ASSERT_EQ(uses.size(), 3U);
  EXPECT_EQ(built.sources.text(uses[0].span), "2");
}

TEST(QosPolicy, ReportsNamesAsSymbols) {
  Built built;
  build(built, R"(port-groups
  port-group
    name: Hosts
    node-type: CA
  end-port-group
end-port-groups
qos-levels
  qos-level
    name: DEFAULT
    sl: 0
  end-qos-level
end-qos-levels
qos-match-rules
  qos-match-rule
    source: hosts
    qos-level-name: default
  end-qos-match-rule
end-qos-match-rules
)");
  std::vector<std::pair<SymbolKind, bool>> kinds;
  for (const Occurrence& o : built.symbols.all()) kinds.emplace_back(o.kind, o.definition);
  EXPECT_THAT(kinds, ElementsAre(Pair(SymbolKind::qos_group, true), Pair(SymbolKind::qos_level, true),
                                 Pair(SymbolKind::qos_group, false), Pair(SymbolKind::qos_level, false)));
}

TEST(QosPolicy, FillsGroupsFromPartitions) {
  const KnownPartition partitions[] = {{0x10, "Storage", 2}, {0x11, "Guests", 1}, {0x7FFF, "Default", {}}};
  const KnownPartitions known = partitions;
  Built built;
  build(built, R"(port-groups
  port-group
    name: g
    partition: Storage, Guests
  end-port-group
end-port-groups
qos-ulps
  default : 0
  ipoib : 1
  ipoib, pkey 0x10-0x11 : 2
end-qos-ulps
)",
        &known);
  EXPECT_THAT(built.policy.groups[0].pkeys.all(), ElementsAre(Pair(0x10, 0x11)));
  EXPECT_EQ(built.diagnostics.count(Severity::error), 0U);
  EXPECT_EQ(built.diagnostics.count(Severity::warning), 1U);  // Guests has one full member
}

// Tables.

TEST(VlTables, FallBackFieldByField) {
  Options options;
  options.qos.base.vlarb_low = VlWeights{{1, 9}};
  options.qos.base.high_limit = 3;
  options.qos.ca.high_limit = 7;
  options.qos.swe.sl2vl = SlToVl{};
  const VlTables ca = vl_tables(options, PortClass::ca);
  EXPECT_EQ(ca.high_limit, 7);
  EXPECT_THAT(ca.low, ElementsAre(VlWeight{1, 9}));
  EXPECT_EQ(ca.high.size(), 15U);
  EXPECT_EQ(ca.sl2vl[15], 7);
  const VlTables between = vl_tables(options, PortClass::switch_to_switch);
  EXPECT_EQ(between.high_limit, 3);
  EXPECT_EQ(between.sl2vl[5], 0);
}

TEST(VlTables, KnowTheLanesOfEachCode) {
  EXPECT_EQ(data_vls(1), 1U);
  EXPECT_EQ(data_vls(2), 2U);
  EXPECT_EQ(data_vls(3), 4U);
  EXPECT_EQ(data_vls(4), 8U);
  EXPECT_EQ(data_vls(5), 15U);
}

TEST(VlTables, StayWithinThePort) {
  EXPECT_TRUE(test::check("of any code and length", [] {
    Options options;
    auto& low = options.qos.base.vlarb_low.emplace();
    for (int i = *rc::gen::inRange(1, 65); i > 0; --i)
      low.push_back({*rc::gen::inRange<std::uint8_t>(0, 15), *rc::gen::inRange<std::uint8_t>(0, 255)});
    auto& map = options.qos.base.sl2vl.emplace();
    for (auto& vl : map) vl = *rc::gen::inRange<std::uint8_t>(0, 16);
    const auto code = *rc::gen::inRange<std::uint8_t>(1, 6);
    const auto cap = *rc::gen::inRange<std::size_t>(0, 65);
    const PortTables tables = port_tables(vl_tables(options, PortClass::ca), code, cap, cap);
    for (std::size_t sl = 0; sl < map.size(); ++sl)
      RC_ASSERT((tables.sl2vl[sl] == kDropVl) == (map[sl] == kDropVl));
    for (const std::uint8_t vl : tables.sl2vl) RC_ASSERT(vl == kDropVl || vl < data_vls(code));
    for (std::size_t i = 0; i < tables.low.size(); ++i) {
      RC_ASSERT(tables.low[i].vl < data_vls(code));
      const bool written = i < low.size() && i < cap && (cap < 64 || i < 32);
      RC_ASSERT(tables.low[i].weight == (written ? low[i].weight : 0));
    }
  }));
}

// Rate limits.

TEST(EnhancedQos, ResolvesLimits) {
  SourceSet sources;
  Diagnostics diagnostics;
  Symbols symbols;
  FileReader files(sources, diagnostics);
  GroupTable groups(symbols);
  const SourceId source = sources.add("enhanced-qos.conf", R"(# S001's sample, with more
BW_RULES
  default = 1:bw1
  0x2c90000000025 = 1:bw2
  ALL_CAS = 2:bw3
  ALL = all:bw4, 3:none
VPORT_BW_RULES
  default = all:bw3
  0x2c90000000026 = 3:bw4
BW_NAMES
  bw1 = 50
  bw2 = 25
  bw3 = 15
  bw4 = 10
  none = 0
)");
  const BuildContext context{files, diagnostics, symbols, nullptr, &groups};
  const auto policy =
      enhanced_qos::build_enhanced_qos(parsers::enhanced_qos::parse(sources, source, diagnostics), context);
  ASSERT_EQ(diagnostics.all().size(), 1U) << render(diagnostics.all()[0], sources);
  EXPECT_EQ(diagnostics.all()[0].rule, &enhanced_qos::kVirtualPorts);

  const GroupId cas = policy.ports.groups[0].group, all = policy.ports.groups[1].group;
  const auto rates = [&](Guid guid, std::vector<GroupId> in) {
    std::sort(in.begin(), in.end());
    const auto found = enhanced_qos::port_rates(policy, guid, in);
    return std::vector<std::uint32_t>(found.begin(), found.begin() + 4);
  };
  EXPECT_THAT(rates(Guid(1), {}), ElementsAre(0, 50, 0, 0));
  EXPECT_THAT(rates(Guid(0x2c90000000025), {cas, all}), ElementsAre(0, 25, 0, 0));
  EXPECT_THAT(rates(Guid(1), {cas}), ElementsAre(0, 50, 15, 0));
  EXPECT_THAT(rates(Guid(1), {cas, all}), ElementsAre(10, 10, 10, 0));

  const auto vport = [&](Guid guid, bool zero) { return enhanced_qos::vport_rates(policy, guid, zero); };
  EXPECT_EQ(vport(Guid(7), false)[0], 15U);
  EXPECT_EQ(vport(Guid(7), true)[0], 0U);
  EXPECT_EQ(vport(Guid(0x2c90000000026), false)[3], 10U);
  EXPECT_EQ(vport(Guid(0x2c90000000026), false)[4], 15U);
  EXPECT_EQ(vport(Guid(0x2c90000000026), true)[3], 10U);
  EXPECT_EQ(vport(Guid(0x2c90000000026), true)[4], 0U);
}

}  // namespace
}  // namespace rch::policy::qos
