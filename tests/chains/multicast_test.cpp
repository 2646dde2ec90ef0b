// Ways of multicast groups, as chains lay them (docs/chains.md, Multicast, torus-2QoS(8)).

#include "chains/multicast.h"
#include "chains/multicast_roots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "chain_fixture.h"
#include "engines/multicast/branches.h"
#include "engines/multicast/breadth_first_tree.h"
#include "fabric/fabric_builder.h"
#include "fabric/faults.h"
#include "fabric/generator.h"
#include "fabric/lids.h"
#include "support/golden_case.h"
#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using fabric::MulticastGroup;
using testing::HasSubstr;
using testing::IsEmpty;

/// By switch: numbers of the ports that carry a group.
using Rows = std::map<std::uint32_t, std::set<unsigned>>;
Rows rows(const Fabric& fabric, const MulticastGroup& group) {
  Rows result;
  for (PortId port : group.ports) result[fabric.port(port).node.value].insert(fabric.port(port).number.value);
  return result;
}

std::vector<PortId> hosts_of(const Fabric& fabric,
                             const std::vector<std::pair<std::uint32_t, std::size_t>>& which) {
  std::vector<PortId> ports;
  for (const auto& [sw, i] : which) ports.push_back(fabric.end_ports_of(SwitchId(sw))[i].port);
  std::ranges::sort(ports);
  return ports;
}

struct Laid {
  ChainRun run;
  MulticastReport report;
  verify::Verdict verdict;
  const MulticastGroup& group(std::size_t i = 0) const { return run.tables.groups[i]; }
};

Laid lay(const test::Chain& chain, const Fabric& fabric, std::vector<MulticastGroup> groups) {
  Laid laid{chain.good_run(), {}, {}};
  laid.verdict = route_multicast(fabric, std::move(groups), {}, laid.run, laid.report);
  return laid;
}

TEST(Multicast, ThreeMembersOnTwoLeaves) {
  const Fabric fabric = test::build(test::clos(4, 2, 4));
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  const Laid laid = lay(chain, fabric,
                        {{Lid(0xC000), 0, hosts_of(fabric, {{0, 1}, {0, 2}, {2, 0}}), {}},
                         {Lid(0xC001), 0, hosts_of(fabric, {{1, 0}}), {}}});
  EXPECT_THAT(laid.verdict.findings, IsEmpty());
  EXPECT_EQ(laid.verdict.groups, 2U);
  EXPECT_EQ(laid.report.root, SwitchId(4)) << "a spine, and the one with the lower GUID";
  EXPECT_EQ(rows(fabric, laid.group()), (Rows{{0, {2, 3, 5}}, {2, {1, 5}}, {4, {1, 3}}}));
  EXPECT_THAT(laid.group(1).ports, IsEmpty()) << "nobody to send to";
}

TEST(Multicast, WhoOnlySendsGetsNothing) {
  const Fabric fabric = test::build(test::clos(4, 2, 4));
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  const Laid laid = lay(chain, fabric,
                        {{Lid(0xC000), 0, hosts_of(fabric, {{0, 1}, {2, 0}}), {}, hosts_of(fabric, {{1, 0}})},
                         {Lid(0xC001), 0, hosts_of(fabric, {{1, 0}}), {}, hosts_of(fabric, {{1, 1}, {3, 0}})},
                         {Lid(0xC002), 0, {}, {}, hosts_of(fabric, {{1, 1}, {3, 0}})}});
  EXPECT_THAT(laid.verdict.findings, IsEmpty());
  EXPECT_EQ(rows(fabric, laid.group()), (Rows{{0, {2, 5}}, {1, {5}}, {2, {1, 5}}, {4, {1, 2, 3}}}));
  EXPECT_EQ(rows(fabric, laid.group(1)), (Rows{{1, {1, 5}}, {3, {5}}, {4, {2, 4}}}));
  EXPECT_THAT(laid.group(2).ports, IsEmpty()) << "nobody to send to";
}

/// dfsssp on several virtual layers: a ring, where layers for down-up turns leave no room for a tree, and a
/// damaged fat tree, where they do.
TEST(Multicast, HasRoomOnTheFirstOfSeveralLayers) {
  test::Shape ring{.hosts = std::vector<std::uint32_t>(7, 1), .cables = {}};
  for (std::uint32_t s = 0; s < 7; ++s) ring.cables.push_back({s, (s + 1) % 7});
  const auto tree = fabric::generate({.shape = fabric::FatTree{12}, .hosts = 6});
  ASSERT_TRUE(tree);
  const auto lost = fabric::remove_parts(tree->fabric, {.random_links = 20});
  ASSERT_TRUE(lost);
  const auto lids = fabric::plan_lids(lost->fabric, {});
  ASSERT_TRUE(lids);
  const auto damaged = fabric::with_lids(lost->fabric, lids->lids);
  ASSERT_TRUE(damaged);
  const Fabric ring_of_7 = test::build(ring);
  for (const Fabric* fabric : {&ring_of_7, &*damaged}) {
    test::Chain chain(*fabric);
    chain.step(1, "dfsssp");
    MulticastGroup all{Lid(0xC000), 0, {}, {}};
    for (const fabric::EndPort& host : fabric->end_ports()) all.members.push_back(host.port);
    std::ranges::sort(all.members);
    const Laid laid = lay(chain, *fabric, {all});
    EXPECT_FALSE(laid.run.tables.sl2vl.empty()) << "several layers";
    EXPECT_THAT(laid.verdict.findings, IsEmpty());
  }
}

TEST(Multicast, RootsThatAreAskedForAreTriedFirst) {
  const Fabric fabric = test::build(test::clos(4, 2, 4));
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  const std::vector<MulticastGroup> groups{{Lid(0xC000), 0, hosts_of(fabric, {{0, 1}, {2, 0}}), {}}};
  const auto root = [&](std::vector<SwitchId> asked, std::vector<std::string>& remarks) {
    ChainRun run = chain.good_run();
    MulticastReport report;
    EXPECT_TRUE(route_multicast(fabric, groups, {}, run, report, asked).clean());
    remarks = report.remarks;
    return report.root;
  };
  std::vector<std::string> remarks;
  EXPECT_EQ(root({SwitchId(5)}, remarks), SwitchId(5));
  EXPECT_THAT(remarks, IsEmpty());
  // A tree from a leaf goes down and up again, as no path does.
  EXPECT_EQ(root({SwitchId(0), SwitchId(5)}, remarks), SwitchId(0));
}

TEST(Multicast, AnEngineThatMakesItsTreesIsAskedForTheirRoots) {
  const Fabric fabric = test::golden_fabric("torus2d-6x5/torus-2QoS");
  test::Chain chain(fabric);
  chain.step(1, "torus-2QoS").torus = test::torus_options(test::golden_text("conf/torus2d-6x5.conf"));
  const ChainRun made = chain.good_run();
  ASSERT_GE(made.trees[0].size(), 2U);
  std::vector<MulticastGroup> groups{{Lid(0xC000), 0, hosts_of(fabric, {{0, 0}, {7, 0}}), {}}};
  const SwitchId second = made.trees[0][1].order.front();
  for (const SwitchId asked : {second, SwitchId(0)}) {
    ChainRun run = chain.good_run();
    MulticastReport report;
    EXPECT_TRUE(route_multicast(fabric, groups, {}, run, report, std::span(&asked, 1)).clean());
    const bool is_root =
        std::ranges::any_of(made.trees[0], [&](const auto& tree) { return tree.order.front() == asked; });
    EXPECT_EQ(report.root == asked, is_root);
    EXPECT_EQ(report.remarks.empty(), is_root) << "rooted elsewhere is told of";
  }
}

TEST(MulticastRoots, AreThoseOfTheOptionsThenThoseOfTheFile) {
  const Fabric fabric = test::build(test::clos(4, 2, 4));
  test::Chain chain(fabric);
  const auto guid = [&](std::uint32_t s) { return fabric.node(SwitchId(s)).guid; };
  chain.policy().options.multicast.mc_primary_root_guid = guid(5).value;
  chain.policy().options.multicast.mc_secondary_root_guid = guid(4).value;
  chain.policy().files.multicast_roots = {{guid(2), {}, {}}, {guid(5), {}, {}}, {Guid(0x77), {}, {}}};
  std::vector<std::string> remarks;
  EXPECT_THAT(requested_roots(chain.bound(), remarks),
              testing::ElementsAre(SwitchId(5), SwitchId(4), SwitchId(2)));
  EXPECT_THAT(remarks, testing::ElementsAre("no switch of this fabric, so no root: 0x0000000000000077"));
}

TEST(Multicast, AGroupBeyondTheEntriesOfASwitchIsAFinding) {
  fabric::FabricBuilder builder;
  const Fabric plain = test::build(test::clos(2, 1, 2));
  for (const fabric::Node& node : plain.nodes()) {
    fabric::NodeSpec spec = spec_of(plain, node);
    if (node.guid == plain.node(SwitchId(2)).guid) spec.multicast_cap = 32;
    builder.add(std::move(spec));
  }
  for (std::uint32_t p = 0; p < plain.ports().size(); ++p) {
    const fabric::Port& port = plain.port(PortId(p));
    if (port.peer.is_none() || port.peer < PortId(p)) continue;
    const fabric::Port& peer = plain.port(port.peer);
    using Handle = fabric::FabricBuilder::Handle;
    ASSERT_TRUE(builder.connect(Handle(port.node.value), port.number, Handle(peer.node.value), peer.number));
  }
  const Fabric fabric = *std::move(builder).build();
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  const auto members = hosts_of(fabric, {{0, 0}, {1, 0}});
  EXPECT_TRUE(lay(chain, fabric, {{Lid(0xC01F), 0, members, {}}}).verdict.clean());
  const Laid laid = lay(chain, fabric, {{Lid(0xC020), 0, members, {}}});
  ASSERT_EQ(laid.verdict.findings.size(), 1U);
  EXPECT_EQ(laid.verdict.findings[0].kind, verify::FindingKind::multicast_unreachable);
  EXPECT_THAT(
      laid.verdict.findings[0].message,
      HasSubstr("multicast LID 0xC020 goes through `switch 2` (0x0000000000100010), which has entries "
                "for 32 multicast LIDs"));
}

TEST(Multicast, OneSwitchNeedsNoCable) {
  const Fabric fabric = test::build(test::clos(4, 2, 4));
  test::Chain chain(fabric);
  chain.step(1, "updn").files.roots.push_back({fabric.node(SwitchId(4)).guid, {}, {}});
  const Laid laid = lay(chain, fabric, {{Lid(0xC000), 0, hosts_of(fabric, {{3, 0}, {3, 3}}), {}}});
  EXPECT_THAT(laid.verdict.findings, IsEmpty());
  EXPECT_EQ(rows(fabric, laid.group()), (Rows{{3, {1, 4}}}));
}

TEST(Multicast, MembersOfOnePodStayThere) {
  const Fabric fabric = test::golden_fabric("ftree3-k4/updn");
  test::Chain chain(fabric);
  chain.step(1, "updn");
  // The leaves that the first leaf shares an aggregation switch with are its pod.
  const SwitchId leaf = fabric.end_ports().front().sw;
  const SwitchId above = fabric.graph().neighbors(leaf).front().sw;
  std::vector<PortId> members;
  std::set<std::uint32_t> leaves;
  for (const fabric::Neighbor& n : fabric.graph().neighbors(above))
    for (const fabric::EndPort& host : fabric.end_ports_of(n.sw)) {
      members.push_back(host.port);
      leaves.insert(n.sw.value);
    }
  ASSERT_GE(leaves.size(), 2U);
  std::ranges::sort(members);
  const Laid laid = lay(chain, fabric, {{Lid(0xC000), 0, members, {}}});
  EXPECT_THAT(laid.verdict.findings, IsEmpty());
  std::set<std::uint32_t> others;
  for (const auto& [sw, ports] : rows(fabric, laid.group()))
    if (!leaves.contains(sw)) others.insert(sw);
  EXPECT_EQ(others.size(), 1U) << "one switch above the leaves, and no way up from it";
  EXPECT_EQ(laid.group().ports.size(), members.size() + 2 * leaves.size());
}

TEST(Multicast, ParallelCablesInTurn) {
  const Fabric fabric = test::build(test::clos(2, 1, 2, 3));
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  std::vector<MulticastGroup> groups;
  for (std::uint16_t i = 0; i < 3; ++i)
    groups.push_back(
        {Lid(static_cast<std::uint16_t>(0xC000 + i)), 0, hosts_of(fabric, {{0, 0}, {1, 0}}), {}});
  const Laid laid = lay(chain, fabric, groups);
  EXPECT_THAT(laid.verdict.findings, IsEmpty());
  std::set<PortId> cables;
  for (const MulticastGroup& group : laid.run.tables.groups)
    for (PortId port : group.ports)
      if (fabric.port(port).node == NodeId(2)) cables.insert(port);
  EXPECT_EQ(cables.size(), 6U) << "each group has cables of its own";
}

TEST(Multicast, KeepsOffDatelines) {
  const Fabric fabric = test::golden_fabric("torus2d-6x5/torus-2QoS");
  test::Chain chain(fabric);
  chain.step(1, "torus-2QoS").torus = test::torus_options(test::golden_text("conf/torus2d-6x5.conf"));
  const auto members = hosts_of(fabric, {{0, 0}, {7, 0}, {20, 0}});
  const Laid laid = lay(chain, fabric, {{Lid(0xC000), 5, members, {}}, {Lid(0xC001), 9, members, {}}});
  EXPECT_THAT(laid.verdict.findings, IsEmpty());
  EXPECT_EQ(laid.group(0).sl, 0);
  EXPECT_EQ(laid.group(1).sl, 8);
  EXPECT_THAT(laid.report.remarks,
              testing::Contains("multicast LID 0xC000 gets SL 0 for 5: other bits tell paths apart"));
}

// dnup on a hypercube with two cables a link: whichever of them groups take.
TEST(Multicast, FitsBetweenRoutesThatKeepToNoOrder) {
  test::Shape shape{.hosts = std::vector<std::uint32_t>(16, 1), .cables = {}};
  for (std::uint32_t bit = 1; bit < 16; bit *= 2)
    for (std::uint32_t s = 0; s < 16; ++s)
      if ((s & bit) == 0) shape.cables.insert(shape.cables.end(), 2, {s, s | bit});
  const Fabric fabric = test::build(shape);
  test::Chain chain(fabric);
  chain.step(1, "dnup");
  std::vector<MulticastGroup> groups;
  for (std::uint16_t lid = 0xC000; lid < 0xC004; ++lid) {
    groups.push_back({Lid(lid), 0, {}, {}});
    for (const fabric::EndPort& host : fabric.end_ports()) groups.back().members.push_back(host.port);
    std::ranges::sort(groups.back().members);
  }
  const Laid laid = lay(chain, fabric, std::move(groups));
  EXPECT_THAT(laid.verdict.findings, IsEmpty());
  EXPECT_EQ(laid.run.trees.front().size(), 1U);
}

TEST(Multicast, WithoutASwitch) {
  fabric::FabricBuilder builder;
  const auto host = [&](std::uint64_t guid) {
    fabric::NodeSpec node;
    node.guid = Guid(guid);
    node.type = fabric::NodeType::ca;
    node.ports.resize(2);
    node.ports[1].lid = Lid(static_cast<std::uint16_t>(guid & 15U));
    return builder.add(std::move(node));
  };
  ASSERT_TRUE(builder.connect(host(0x11), PortNum(1), host(0x22), PortNum(1)));
  const Fabric fabric = std::move(*std::move(builder).build());
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  const std::vector<PortId> members{*fabric.find_port(Guid(0x12)), *fabric.find_port(Guid(0x23))};
  EXPECT_THAT(lay(chain, fabric, {{Lid(0xC000), 0, members, {}}}).run.tables.groups, IsEmpty());
}

// Two parts without a cable between them: those of the larger one hear each other, and the finding names one
// of the rest.
TEST(Multicast, InTwoParts) {
  const Fabric fabric = test::build({.hosts = {1, 2, 2}, .cables = {{1, 2}}});
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  const Laid laid =
      lay(chain, fabric, {{Lid(0xC000), 0, hosts_of(fabric, {{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 1}}), {}}});
  EXPECT_EQ(rows(fabric, laid.group()).size(), 2U);
  ASSERT_EQ(laid.verdict.findings.size(), 2U);
  EXPECT_EQ(laid.verdict.findings[1].kind, verify::FindingKind::disconnected);
  EXPECT_EQ(laid.verdict.findings[1].count, 1U);
  EXPECT_THAT(laid.verdict.findings[1].message, HasSubstr("no cable joins: `host 0`"));
}

// Who cannot reach the larger part can reach each other.
TEST(Multicast, HasATreeInEveryPart) {
  const Fabric fabric = test::build({.hosts = {2, 2, 2}, .cables = {{1, 2}}});
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  const Laid laid =
      lay(chain, fabric,
          {{Lid(0xC000), 0, hosts_of(fabric, {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}}), {}}});
  EXPECT_EQ(rows(fabric, laid.group()), (Rows{{0, {1, 2}}, {1, {1, 2, 3}}, {2, {1, 2, 3}}}));
}

/// A ring of six with two VLs. Of SL 0 no path goes clockwise through switch 0, nor the other way through
/// switch 3, so that it has no credit loop. A tree leaves out one cable, so it goes one of these ways.
class RingWithoutATree : public testing::Test {
 protected:
  static constexpr std::uint32_t kSwitches = 6;

  RingWithoutATree() {
    run.trees.emplace_back();
    fabric::RoutingTables& tables = run.tables;
    tables.lfts = fabric::ForwardingTables(kSwitches, fabric.max_lid());
    fabric::RoutedStep step;
    step.id = StepId(1);
    step.switches = IdSet<SwitchId>(kSwitches, true);
    step.lids = IdSet<Lid>(fabric.max_lid().index() + 1, true);
    fabric::SlRule::Dimension ring{0, kSwitches, {}, {}};
    for (std::uint16_t s = 0; s < kSwitches; ++s) ring.coordinate.push_back(s);
    for (std::uint32_t from = 0; from < kSwitches; ++from)
      for (std::uint32_t to = 0; to < kSwitches; ++to) {
        const std::uint32_t hops = (to + kSwitches - from) % kSwitches;
        const bool clockwise = hops <= 3;
        const auto passes = [&](std::uint32_t sw) {
          const std::uint32_t away = clockwise ? sw + kSwitches - from : from + kSwitches - sw;
          return away % kSwitches != 0 && away % kSwitches < (clockwise ? hops : kSwitches - hops);
        };
        ring.crosses.push_back(hops != 0 && passes(clockwise ? 0 : 3));
        const Lid lid = fabric.end_ports_of(SwitchId(to))[0].lid;
        tables.lfts.row(SwitchId(from))[lid.index()] = port(from, hops, clockwise);
      }
    step.sl.dimensions.push_back(ring);
    tables.steps.push_back(step);
  }

  /// Cables are numbered as `test::build` lays them.
  static std::uint8_t port(std::uint32_t from, std::uint32_t hops, bool clockwise) {
    if (hops == 0) return 1;
    return clockwise == (from == 0) ? 2 : 3;
  }
  static Fabric ring() {
    test::Shape shape{.hosts = std::vector<std::uint32_t>(kSwitches, 1), .cables = {}};
    for (std::uint32_t s = 0; s < kSwitches; ++s) shape.cables.push_back({s, (s + 1) % kSwitches});
    return test::build(shape);
  }

  Fabric fabric = ring();
  ChainRun run;
};

TEST_F(RingWithoutATree, LeavesTheGroupsOutAndSaysSo) {
  ASSERT_TRUE(verify::verify(fabric, run.tables).clean());
  MulticastGroup all{Lid(0xC000), 0, {}, {}};
  for (const fabric::EndPort& host : fabric.end_ports()) all.members.push_back(host.port);
  std::ranges::sort(all.members);
  MulticastReport report;
  const verify::Verdict verdict = route_multicast(fabric, {all}, {}, run, report);
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(verdict.findings[0].kind, verify::FindingKind::multicast_unrouted);
  EXPECT_EQ(verdict.findings[0].count, 1U);
  EXPECT_THAT(run.tables.groups, IsEmpty());
}

TEST_F(RingWithoutATree, HasOneOnAVlOfItsOwn) {
  MulticastGroup all{Lid(0xC000), 2, {}, {}};
  for (const fabric::EndPort& host : fabric.end_ports()) all.members.push_back(host.port);
  std::ranges::sort(all.members);
  MulticastReport report;
  EXPECT_THAT(route_multicast(fabric, {all}, {}, run, report).findings, IsEmpty());
}

// An engine that leaves loops of its own: the first tree is taken, and the verdict is as bad as it was.
TEST(Multicast, PathsWithLoopsAreNotItsFault) {
  const Fabric fabric = test::golden_fabric("torus2d-6x5/minhop");
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  const Laid laid = lay(chain, fabric, {{Lid(0xC000), 0, hosts_of(fabric, {{0, 0}, {17, 0}}), {}}});
  ASSERT_EQ(laid.verdict.findings.size(), 1U);
  EXPECT_EQ(laid.verdict.findings[0].kind, verify::FindingKind::credit_loop);
  EXPECT_FALSE(laid.group().ports.empty());
}

// --- OpenSM's tables

/// Members by MLID, of the SA data base that OpenSM was given.
std::map<Lid, std::vector<PortId>> members_of(const std::string& sa_dump, const Fabric& fabric) {
  std::map<Lid, std::vector<PortId>> members;
  std::istringstream lines(test::golden_text(sa_dump));
  Lid mlid;
  const std::regex group("^MC Group 0x([0-9a-f]+)"), port("^mcm_port: port_gid=0x[0-9a-f]+:0x([0-9a-f]+)");
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, found, group))
      mlid = Lid(static_cast<std::uint16_t>(std::stoul(found[1], nullptr, 16)));
    if (std::regex_search(line, found, port))
      members[mlid].push_back(*fabric.find_port(Guid(std::stoull(found[1], nullptr, 16))));
  }
  for (auto& [lid, ports] : members) std::ranges::sort(ports);
  return members;
}

/// opensm.mcfdbs by MLID.
std::map<Lid, Rows> opensm_rows(const std::string& name, const Fabric& fabric) {
  std::map<Lid, Rows> tables;
  std::istringstream lines(test::golden_text("cases/" + name + "/opensm.mcfdbs"));
  std::uint32_t sw = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("Switch 0x"))
      sw = fabric.find_node(Guid(std::stoull(line.substr(9), nullptr, 16)))->value;
    if (!line.starts_with("0xC")) continue;
    std::istringstream words(line.substr(8));
    for (std::string word; words >> word;)
      tables[Lid(static_cast<std::uint16_t>(std::stoul(line, nullptr, 16)))][sw].insert(
          static_cast<unsigned>(std::stoul(word, nullptr, 16)));
  }
  return tables;
}

Laid lay_golden(const std::string& name, const Fabric& fabric, const std::string& sa_dump,
                test::Chain& chain) {
  std::vector<MulticastGroup> groups;
  for (auto& [mlid, members] : members_of(sa_dump, fabric)) groups.push_back({mlid, 0, members, {}});
  EXPECT_EQ(groups.size(), 2U) << name;
  return lay(chain, fabric, std::move(groups));
}

TEST(MulticastAsOpenSm, TorusMasterTree) {
  const std::string name = "torus2d-6x5/torus-2QoS.mcast";
  const Fabric fabric = test::golden_fabric(name);
  test::Chain chain(fabric);
  chain.step(1, "torus-2QoS").torus = test::torus_options(test::golden_text("conf/torus2d-6x5.conf"));
  const Laid laid = lay_golden(name, fabric, "conf/torus2d-6x5-sa.dump", chain);
  EXPECT_THAT(laid.verdict.findings, IsEmpty());
  auto theirs = opensm_rows(name, fabric);
  EXPECT_EQ(rows(fabric, laid.group(0)), theirs[Lid(0xC000)]) << "all hosts: the whole tree";
  // Where a part of the hosts are members, OpenSM keeps the way to the root although nobody is there.
  for (const auto& [sw, ports] : rows(fabric, laid.group(1)))
    EXPECT_TRUE(std::ranges::includes(theirs[Lid(0xC001)][sw], ports)) << sw;
  EXPECT_LE(laid.group(1).ports.size(), 2 * laid.group(1).members.size() + 2 * (fabric.switch_count() - 1));
}

TEST(MulticastAsOpenSm, ClosOfTheSameSize) {
  const std::string name = "clos-6x4-par2/minhop.mcast";
  const Fabric fabric = test::golden_fabric(name);
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  const Laid laid = lay_golden(name, fabric, "conf/clos-6x4-par2-sa.dump", chain);
  EXPECT_THAT(laid.verdict.findings, IsEmpty());
  auto opensm = opensm_rows(name, fabric);
  for (std::size_t i = 0; i < 2; ++i) {
    std::size_t theirs = 0;
    for (const auto& [sw, ports] : opensm[laid.group(i).mlid]) theirs += ports.size();
    EXPECT_EQ(laid.group(i).ports.size(), theirs) << i;
  }
}

// --- properties

/// Ports of a group as a graph: a tree whose tips are members.
void check_tree(const Fabric& fabric, const MulticastGroup& group) {
  const Rows all = rows(fabric, group);
  std::size_t cables = 0, hosts = 0;
  for (PortId port : group.ports) {
    const PortId far = fabric.port(port).peer;
    if (fabric.is_switch(fabric.port(far).node)) {
      RC_ASSERT(std::ranges::binary_search(group.ports, far));
      ++cables;
    } else {
      RC_ASSERT(std::ranges::binary_search(group.members, far));
      ++hosts;
    }
  }
  RC_ASSERT(hosts == group.members.size());
  RC_ASSERT(cables == 2 * (all.size() - 1));
  for (const auto& [sw, ports] : all) RC_ASSERT(ports.size() >= 2 || all.size() == 1);
  // As many branches as a tree has, and all switches joined.
  std::set<std::uint32_t> met{all.begin()->first};
  for (bool grown = true; grown;) {
    grown = false;
    for (PortId port : group.ports) {
      const NodeId far = fabric.port(fabric.port(port).peer).node;
      if (fabric.is_switch(far) && met.contains(fabric.port(port).node.value))
        grown |= met.insert(far.value).second;
    }
  }
  RC_ASSERT(met.size() == all.size());
}

RC_GTEST_PROP(MulticastProperties, BranchesMakeATreeOfTheMembers, (std::uint64_t seed)) {
  const Fabric fabric = test::build(test::random_shape(seed, 30));
  std::mt19937_64 random(seed);
  const SwitchId root(static_cast<std::uint32_t>(random() % fabric.switch_count()));
  const engines::SpanningTree tree = engines::multicast::breadth_first_tree(fabric.graph(), root);
  RC_ASSERT(engines::multicast::breadth_first_tree(fabric.graph(), root) == tree);
  MulticastGroup group{Lid(static_cast<std::uint16_t>(0xC000 + random() % 5)), 0, {}, {}};
  const bool everyone = random() % 3 == 0;
  for (const fabric::EndPort& host : fabric.end_ports())
    if (std::ranges::find(tree.order, host.sw) != tree.order.end() && (everyone || random() % 4 == 0))
      group.members.push_back(host.port);
  std::ranges::sort(group.members);
  group.ports = engines::multicast::branches(fabric, tree, group.members, {}, group.mlid);
  if (group.members.size() < 2)
    RC_ASSERT(group.ports.empty());
  else
    check_tree(fabric, group);
}

// In an island the tree keeps to the island's branches, whatever joins it to the rest.
RC_GTEST_PROP(MulticastProperties, DfssspLeavesRoomOnSeveralLanes, (std::uint64_t seed)) {
  const Fabric fabric = test::build(test::random_shape(seed, 20));
  test::Chain chain(fabric);
  chain.step(1, "dfsssp");
  MulticastGroup all{Lid(0xC000), 0, {}, {}};
  for (const fabric::EndPort& host : fabric.end_ports()) all.members.push_back(host.port);
  std::ranges::sort(all.members);
  const Laid laid = lay(chain, fabric, {all});
  if (laid.run.tables.sl2vl.empty()) return;
  for (const verify::Finding& finding : laid.verdict.findings)
    RC_ASSERT(finding.kind != verify::FindingKind::credit_loop);
}

RC_GTEST_PROP(MulticastProperties, IslandsKeepTheirBranches, (std::uint64_t seed)) {
  const Fabric fabric = test::build(test::random_shape(seed, 30));
  std::mt19937_64 random(seed);
  const auto any = [&] { return SwitchId(static_cast<std::uint32_t>(random() % fabric.switch_count())); };
  // The first switches of a tree are joined without the others.
  engines::SpanningTree island = engines::multicast::breadth_first_tree(fabric.graph(), any());
  island.order.resize(1 + random() % island.order.size());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    if (std::ranges::find(island.order, SwitchId(s)) == island.order.end())
      island.parent[s] = SwitchId::none();
  const engines::SpanningTree* islands[] = {&island};
  const SwitchId root = any();
  const engines::SpanningTree tree = engines::multicast::breadth_first_tree(fabric.graph(), root, islands);
  RC_ASSERT(tree.order.size() == engines::multicast::breadth_first_tree(fabric.graph(), root).order.size());
  if (std::ranges::find(tree.order, island.order.front()) == tree.order.end()) return;
  for (SwitchId sw : island.order)
    if (const SwitchId up = island.parent[sw.index()]; !up.is_none())
      RC_ASSERT(tree.parent[sw.index()] == up || tree.parent[up.index()] == sw);
}

}  // namespace
}  // namespace rch::chains
