// Trees for multicast groups beside paths: that one is found whenever there is one, and that what is said
// where there is none is true. The judges are verify::verify and, on small fabrics, every tree that there is.

#include "chains/fitted_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "chain_fixture.h"
#include "chains/multicast.h"
#include "engines/multicast/branches.h"
#include "fabric/fabric_builder.h"
#include "fabric/generator.h"
#include "fabric/lids.h"
#include "fabric/random.h"
#include "support/golden_case.h"
#include "support/small_fabrics.h"
#include "verify/verify.h"

namespace rch::chains {
namespace {

using engines::SpanningTree;
using fabric::Fabric;
using fabric::MulticastGroup;
using testing::IsEmpty;
using verify::FindingKind;

Fabric with_planned_lids(Fabric fabric) {
  const auto lids = fabric::plan_lids(fabric, {});
  return *fabric::with_lids(std::move(fabric), lids->lids);
}

/// Every CA and router port, and every enhanced port 0: who is in the group of the default partition.
MulticastGroup everyone(const Fabric& fabric) {
  MulticastGroup group{Lid(0xC000), 0, {}, {}};
  for (const fabric::EndPort& host : fabric.end_ports()) group.members.push_back(host.port);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    if (fabric.node(SwitchId(s)).enhanced_port0)
      group.members.push_back(fabric.port_id(SwitchId(s), PortNum(0)));
  std::ranges::sort(group.members);
  return group;
}

struct Outcome {
  verify::Verdict verdict;
  MulticastReport report;
  ChainRun run;
};

Outcome route_everyone(const Fabric& fabric, ChainRun run) {
  Outcome outcome{{}, {}, std::move(run)};
  outcome.verdict = route_multicast(fabric, {everyone(fabric)}, {}, outcome.run, outcome.report);
  return outcome;
}

bool has(const verify::Verdict& verdict, FindingKind kind) {
  return std::ranges::find(verdict.findings, kind, &verify::Finding::kind) != verdict.findings.end();
}

// --- trees whose switches have an enhanced port 0

TEST(FittedTrees, ReachEnhancedPorts0OfThreeLevelTrees) {
  for (const char* name : {"tree-14sw-esp0", "tree-19sw-esp0", "ftree3-k6-esp0"})
    for (const char* engine : {"minhop", "updn", "dnup", "ftree", "pqft", "dor", "dfsssp"}) {
      const Fabric fabric = with_planned_lids(test::golden_net(name));
      test::Chain chain(fabric);
      chain.step(1, engine);
      auto run = chain.run();
      if (!run) {
        EXPECT_THAT(engine, testing::HasSubstr("ft"))
            << name << " is not regular; updn and the others do not mind";
        continue;
      }
      const Outcome outcome = route_everyone(fabric, std::move(*run));
      EXPECT_THAT(outcome.verdict.findings, IsEmpty()) << name << " " << engine;
      EXPECT_EQ(outcome.report.switches, fabric.switch_count());
      EXPECT_THAT(outcome.report.waiting, IsEmpty());
    }
}

/// An engine may leave out a spine without hosts, as dfsssp does where it keeps its layers.
TEST(FittedTrees, OfEnginesAreCompletedForSwitchesWithMembers) {
  fabric::FabricBuilder builder(test::build(test::clos(2, 2, 1)));
  const SwitchId left_out(3);
  builder.node(fabric::FabricBuilder::Handle(left_out.value)).enhanced_port0 = true;
  const Fabric fabric = std::move(*std::move(builder).build());
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  ChainRun run = chain.good_run();
  const SwitchId none = SwitchId::none(), root(2);
  run.trees.front() = {SpanningTree{{root, SwitchId(0), SwitchId(1)}, {root, root, none, none}}};
  const Outcome outcome = route_everyone(fabric, std::move(run));
  EXPECT_THAT(outcome.verdict.findings, IsEmpty());
  EXPECT_EQ(outcome.report.root, root);
  EXPECT_EQ(outcome.report.switches, 4U);
  EXPECT_THAT(outcome.run.tables.groups.front().ports,
              testing::Contains(fabric.port_id(left_out, PortNum(0))));
}

/// A part that no cable joins to the hosts may have members, too.
TEST(FittedTrees, ReachMembersOfAPartWithoutHosts) {
  fabric::FabricBuilder builder(test::build({.hosts = {1, 1, 0, 0}, .cables = {{0, 1}, {2, 3}}}));
  for (const std::uint32_t sw : {2, 3}) builder.node(fabric::FabricBuilder::Handle(sw)).enhanced_port0 = true;
  const Fabric fabric = std::move(*std::move(builder).build());
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  const Outcome outcome = route_everyone(fabric, chain.good_run());
  std::set<NodeId> switches;
  for (const PortId port : outcome.run.tables.groups.front().ports) switches.insert(fabric.port(port).node);
  EXPECT_EQ(switches.size(), 4U);
}

// --- every tree

/// Neighbouring switches, the lower one first.
using Pairs = std::vector<std::pair<SwitchId, SwitchId>>;

Pairs pairs_of(const Fabric& fabric) {
  Pairs pairs;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    for (const fabric::Neighbor& n : fabric.graph().neighbors(SwitchId(s)))
      if (s < n.sw.value) pairs.emplace_back(SwitchId(s), n.sw);
  return pairs;
}

/// The tree that the pairs with a bit in `subset` make; nothing if they make none with `root`.
std::optional<SpanningTree> tree_of(const Fabric& fabric, const Pairs& pairs, std::uint32_t subset,
                                    SwitchId root) {
  SpanningTree tree{{root}, std::vector<SwitchId>(fabric.switch_count(), SwitchId::none())};
  std::uint32_t left = subset;
  for (std::size_t at = 0; at < tree.order.size(); ++at)
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if ((left >> i & 1U) == 0) continue;
      const auto [a, b] = pairs[i];
      const SwitchId sw = tree.order[at], next = a == sw ? b : a;
      if (sw != a && sw != b) continue;
      left &= ~(1U << i);
      if (std::ranges::find(tree.order, next) != tree.order.end()) return std::nullopt;
      tree.parent[next.index()] = sw;
      tree.order.push_back(next);
    }
  return left == 0 ? std::optional(std::move(tree)) : std::nullopt;
}

bool is_safe(const verify::Verdict& verdict) {
  return !has(verdict, FindingKind::loop) && !has(verdict, FindingKind::credit_loop) &&
         !has(verdict, FindingKind::multicast_loop) && !has(verdict, FindingKind::multicast_unreachable);
}

/// Some tree joins all members and closes no credit loop, says the verifier.
bool some_tree_is_safe(const Fabric& fabric, fabric::RoutingTables& tables, MulticastGroup group) {
  const Pairs pairs = pairs_of(fabric);
  std::vector<SwitchId> needed;
  for (const PortId member : group.members) {
    const fabric::Port& port = fabric.port(member);
    const NodeId at = fabric.is_switch(port.node) ? port.node : fabric.port(port.peer).node;
    needed.push_back(*fabric.switch_id(at));
  }
  for (std::uint32_t subset = 0; subset < 1U << pairs.size(); ++subset) {
    if (static_cast<std::size_t>(std::popcount(subset)) >= fabric.switch_count()) continue;
    const auto tree = tree_of(fabric, pairs, subset, needed.front());
    if (!tree || !std::ranges::all_of(needed, [&](SwitchId sw) {
          return std::ranges::find(tree->order, sw) != tree->order.end();
        }))
      continue;
    group.ports = engines::multicast::branches(fabric, *tree, group.members, {}, group.mlid);
    tables.groups.assign(1, group);
    const bool safe = is_safe(verify::verify(fabric, tables));
    tables.groups.clear();
    if (safe) return true;
  }
  return false;
}

/// Connected, with 4 to 7 switches, up to 10 pairs of neighbours, some of them joined twice, and enhanced
/// ports 0 on most switches. Half of them are rings: a tree of a ring leaves out one link, so paths that turn
/// at all switches but two, one for each direction, often leave no room for any tree.
Fabric small_fabric(fabric::Random& random) {
  const auto switches = static_cast<std::uint32_t>(4 + random.below(4));
  const bool ring = random.below(2) == 0;
  test::Shape shape;
  std::set<std::pair<std::uint32_t, std::uint32_t>> joined;
  for (std::uint32_t s = 0; s < switches; ++s) {
    shape.hosts.push_back(random.below(4) == 0 ? 0 : 1);
    if (s > 0) joined.emplace(ring ? s - 1 : random.below(s), s);
  }
  shape.hosts[0] = shape.hosts[switches - 1] = 1;
  if (ring) joined.emplace(0, switches - 1);
  while (!ring && joined.size() < std::min<std::size_t>(10, switches * (switches - 1) / 2)) {
    const auto a = static_cast<std::uint32_t>(random.below(switches)),
               b = static_cast<std::uint32_t>(random.below(switches));
    if (a < b) joined.emplace(a, b);
    if (random.below(4) == 0) break;
  }
  for (const auto& [a, b] : joined) shape.cables.insert(shape.cables.end(), 1 + random.below(6) / 5, {a, b});
  fabric::FabricBuilder builder(test::build(shape));
  for (std::uint32_t s = 0; s < switches; ++s)
    builder.node(fabric::FabricBuilder::Handle(s)).enhanced_port0 = random.below(4) != 0;
  return std::move(*std::move(builder).build());
}

/// Entries for hosts that are drawn one at a time and stay unless they close a loop. Some pairs have no path;
/// the others take ways that no engine would choose. So there is a tree beside some tables and none beside
/// others.
void draw_paths(const Fabric& fabric, fabric::RoutingTables& tables, fabric::Random& random) {
  const auto hosts = fabric.end_ports();
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    for (const fabric::EndPort& host : hosts)
      if (host.sw.value != s) tables.lfts.row(SwitchId(s))[host.lid.index()] = kNoPath;
  for (int i = 0; i < 300; ++i) {
    const SwitchId sw(static_cast<std::uint32_t>(random.below(fabric.switch_count())));
    const fabric::EndPort& host = hosts[random.below(hosts.size())];
    const auto neighbors = fabric.graph().neighbors(sw);
    if (neighbors.empty() || host.sw == sw) continue;
    const auto links = fabric.graph().links(neighbors[random.below(neighbors.size())]);
    std::uint8_t& entry = tables.lfts.row(sw)[host.lid.index()];
    const std::uint8_t before = std::exchange(entry, links[random.below(links.size())].out.value);
    if (!is_safe(verify::verify(fabric, tables))) entry = before;
  }
}

TEST(FittedTrees, AreFoundExactlyWhereThereIsOne) {
  fabric::Random random(7);
  std::size_t found = 0, none = 0;
  for (int i = 0; i < 200; ++i) {
    const Fabric fabric = small_fabric(random);
    test::Chain chain(fabric);
    chain.step(1, "minhop");
    ChainRun run = chain.good_run();
    draw_paths(fabric, run.tables, random);
    const bool exists = some_tree_is_safe(fabric, run.tables, everyone(fabric));
    const Outcome outcome = route_everyone(fabric, std::move(run));
    const auto unrouted =
        std::ranges::find(outcome.verdict.findings, FindingKind::multicast_unrouted, &verify::Finding::kind);
    EXPECT_TRUE(is_safe(outcome.verdict)) << i;
    EXPECT_EQ(unrouted == outcome.verdict.findings.end(), exists) << i;
    (exists ? found : none) += 1;
    if (exists || unrouted == outcome.verdict.findings.end()) continue;
    EXPECT_THAT(unrouted->message, testing::HasSubstr("every tree closes a credit loop")) << i;
    EXPECT_EQ(outcome.report.waiting, std::vector{Lid(0xC000)});
    EXPECT_THAT(outcome.run.tables.groups, IsEmpty());
  }
  EXPECT_GT(found, 10U);
  EXPECT_GT(none, 10U);
}

// --- all engines on all kinds of fabrics, equipped as real ones are

TEST(FittedTrees, ExistOnAllKindsWithAllEngines) {
  using namespace fabric;
  const std::pair<const char*, Topology> kinds[] = {
      {"torus", Grid{{{4, true}, {4, true}}}},
      {"mesh", Grid{{{4, false}, {3, false}}}},
      {"clos", Clos{6, 4}},
      {"ftree", FatTree{4}},
      {"ftree6", FatTree{6}},
      {"hypercube", Hypercube{3}},
      {"hyperx", HyperX{{3, 3}}},
      {"rail", RailTree{2, 3, 2}},
      {"slimfly", SlimFly{3}},
      {"dragonfly", Dragonfly{5, 2, 2}},
      {"dragonfly+", DragonflyPlus{4, 3, 3, 1}},
      {"random", RandomRegular{16, 4, 1}},
  };
  std::size_t routed = 0, waiting = 0;
  for (const auto& [kind, shape] : kinds)
    for (const bool spine_hosts : {false, true}) {
      GeneratorOptions options{.shape = shape, .hosts = 2, .shuffle = 1, .equipment = Equipment::all()};
      options.equipment.aggregation_nodes = false;
      options.equipment.spine_hosts = spine_hosts;
      const Fabric fabric = with_planned_lids(generate(options)->fabric);
      for (const char* engine : {"minhop", "updn", "dnup", "ftree", "pqft", "dor", "dfsssp"}) {
        test::Chain chain(fabric);
        chain.step(1, engine);
        auto run = chain.run();
        if (!run) continue;  // no tree, or no such grid: the engine says so
        const verify::Verdict paths = verify::verify(fabric, run->tables);
        if (has(paths, FindingKind::credit_loop)) continue;  // no tree repairs that
        const Outcome outcome = route_everyone(fabric, std::move(*run));
        ++routed;
        for (const verify::Finding& finding : outcome.verdict.findings) {
          if (has(paths, finding.kind)) continue;
          // Paths between hosts on spines go down and up again, and may leave no room.
          EXPECT_TRUE(spine_hosts) << kind << " " << engine << ": " << finding.message;
          EXPECT_EQ(finding.kind, FindingKind::multicast_unrouted);
          EXPECT_THAT(finding.message, testing::HasSubstr("every tree closes a credit loop"));
          ++waiting;
        }
      }
    }
  EXPECT_GT(routed, 50U);
  EXPECT_LT(waiting, routed / 10);
}

}  // namespace
}  // namespace rch::chains
