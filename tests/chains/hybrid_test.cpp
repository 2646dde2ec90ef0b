// A torus island inside another fabric: the composition rule of docs/chains.md, judged by rch's verifier and
// by ibdmchk.

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chain_fixture.h"
#include "chains/dumps.h"
#include "chains/multicast.h"
#include "chains/trace.h"
#include "fabric/faults.h"
#include "ibdmchk.h"
#include "support/small_fabrics.h"
#include "verify/verify.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using testing::Each;
using testing::HasSubstr;

constexpr std::uint32_t kSide = 5, kIsland = kSide * kSide, kLeaves = 4;

std::uint32_t at(std::uint32_t x, std::uint32_t y) { return x % kSide * kSide + y % kSide; }

/// Switches 0..24: a 5x5 torus, one host each. 25..28: leaves with two hosts. 29, 30: spines, both cabled to
/// the island's switch (0,0), one of them also to its neighbour (0,1).
Fabric hybrid() {
  test::Shape shape;
  shape.hosts.assign(kIsland, 1);
  for (std::uint32_t x = 0; x < kSide; ++x)
    for (std::uint32_t y = 0; y < kSide; ++y) {
      shape.cables.push_back({at(x, y), at(x + 1, y)});
      shape.cables.push_back({at(x, y), at(x, y + 1)});
    }
  shape.hosts.resize(kIsland + kLeaves, 2);
  shape.hosts.resize(kIsland + kLeaves + 2, 0);
  for (std::uint32_t spine : {kIsland + kLeaves, kIsland + kLeaves + 1}) {
    for (std::uint32_t leaf = kIsland; leaf < kIsland + kLeaves; ++leaf)
      shape.cables.push_back({leaf, spine});
    shape.cables.push_back({at(0, 0), spine});
  }
  shape.cables.push_back({at(0, 1), kIsland + kLeaves + 1});
  return test::build(shape);
}

fabric::TorusShape island(const Fabric& fabric) {
  const auto guid = [&](std::uint32_t s) { return fabric.node(SwitchId(s)).guid; };
  fabric::TorusShape options;
  options.radix = {kSide, kSide, 1};
  options.seeds.emplace_back();
  options.seeds[0].plus[0] = {guid(0), guid(at(1, 0))};
  options.seeds[0].plus[1] = {guid(0), guid(at(0, 1))};
  return options;
}

class Hybrid : public testing::Test {
 protected:
  Hybrid() : fabric_(hybrid()), chain_(fabric_) {
    chain_.step(1, "minhop");
    chain_.step(20, "torus-2QoS", 1).torus = island(fabric_);
    std::vector<std::uint32_t> switches(kIsland);
    for (std::uint32_t s = 0; s < kIsland; ++s) switches[s] = s;
    chain_.topology(1, test::ports_of(fabric_, switches));
  }
  Trace path(std::uint32_t from, std::uint32_t to, const ChainRun& run) const {
    return trace(fabric_, run.tables, fabric_.end_ports_of(SwitchId(from))[0].port,
                 fabric_.end_ports_of(SwitchId(to))[0].lid);
  }
  /// VLs on which the path leaves switches of the island towards others of the island.
  std::vector<int> island_vls(const Trace& path) const {
    std::vector<int> vls;
    for (std::size_t i = 0; i + 1 < path.hops.size(); ++i)
      if (path.hops[i].sw.value < kIsland && path.hops[i + 1].sw.value < kIsland)
        vls.push_back(path.hops[i].vl);
    return vls;
  }

  Fabric fabric_;
  test::Chain chain_;
};

TEST_F(Hybrid, MinhopAloneLoopsAndTheChainDoesNot) {
  test::Chain alone(fabric_);
  alone.step(1, "minhop");
  const verify::Verdict looping = verify::verify(fabric_, alone.good_run().tables);
  ASSERT_EQ(looping.findings.size(), 1U);
  EXPECT_EQ(looping.findings[0].kind, verify::FindingKind::credit_loop);

  const ChainRun run = chain_.good_run();
  EXPECT_EQ(test::outline(run.steps), "1 routed, 20 routed");
  const verify::Verdict verdict = verify::verify(fabric_, run.tables);
  EXPECT_TRUE(verdict.clean()) << (verdict.findings.empty() ? "" : verdict.findings[0].message);
}

TEST_F(Hybrid, IbdmchkAgrees) {
  const ChainRun run = chain_.good_run();
  const test::ScratchFolder folder;
  ASSERT_TRUE(dump_final(folder.path(), fabric_, run));
  ASSERT_TRUE(dump_path_sls(folder.path(), fabric_, run.tables));
  const std::string report = test::ibdmchk(folder, "-c path-sl.dump -d opensm-sl2vl.dump");
  EXPECT_THAT(report, HasSubstr("-I- no credit loops found"));
  EXPECT_THAT(report, HasSubstr("-I- Defined 9 SLs in use"));
  EXPECT_THAT(report, HasSubstr("-I- Defined 8 VLs in use"));
  EXPECT_THAT(test::ibdmchk(folder, ""), HasSubstr("-E- credit loops in routing"));
}

TEST_F(Hybrid, TrafficOfTheIslandUsesTheLowerLanes) {
  const ChainRun run = chain_.good_run();
  const Trace inner = path(at(4, 4), at(1, 1), run);
  EXPECT_EQ(inner.sl, 3);  // the short way crosses both datelines
  EXPECT_THAT(island_vls(inner), Each(testing::Lt(4)));
  for (const TraceHop& hop : inner.hops) EXPECT_EQ(hop.step, StepId(20));
}

TEST_F(Hybrid, InboundTrafficRidesAsIfItStartedAtTheBorder) {
  const ChainRun run = chain_.good_run();
  const Trace inbound = path(kIsland, at(3, 3), run);
  std::size_t entry = 0;
  while (inbound.hops[entry].sw.value >= kIsland) ++entry;
  const std::uint32_t border = inbound.hops[entry].sw.value;
  EXPECT_EQ(inbound.sl, path(border, at(3, 3), run).sl);
  EXPECT_EQ(inbound.hops[entry].step, StepId(20));
  EXPECT_EQ(inbound.hops[0].step, StepId(1));
}

TEST_F(Hybrid, OutboundTrafficIsKeptApart) {
  const ChainRun run = chain_.good_run();
  const Trace outbound = path(at(2, 2), kIsland, run);
  EXPECT_EQ(outbound.sl, 8);
  EXPECT_FALSE(island_vls(outbound).empty());
  EXPECT_THAT(island_vls(outbound), Each(testing::Ge(4)));
  for (const TraceHop& hop : outbound.hops) {
    EXPECT_EQ(hop.step, StepId(1));
    if (hop.sw.value >= kIsland) {
      EXPECT_EQ(hop.vl, 1);
    }
  }
}

TEST_F(Hybrid, TrafficElsewhereIsNotTouched) {
  const ChainRun run = chain_.good_run();
  const Trace outside = path(kIsland, kIsland + 2, run);
  EXPECT_EQ(outside.sl, 0);
  for (const TraceHop& hop : outside.hops) EXPECT_EQ(hop.vl, 0);
}

/// Parts of the island that fail; its seed stays.
struct Damage {
  const char* name;
  fabric::Faults faults;
};
void PrintTo(const Damage& damage, std::ostream* out) { *out << damage.name; }

class DamagedIsland : public testing::TestWithParam<Damage> {
 protected:
  DamagedIsland()
      : fabric_(fabric::remove_parts(hybrid(), GetParam().faults).value().fabric), chain_(fabric_) {
    const Fabric whole = hybrid();
    chain_.step(1, "minhop");
    chain_.step(20, "torus-2QoS", 1).torus = island(whole);
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s)
      if (fabric_.node(SwitchId(s)).guid <= whole.node(SwitchId(kIsland - 1)).guid) switches_.push_back(s);
    chain_.topology(1, test::ports_of(fabric_, switches_));
  }

  Fabric fabric_;
  std::vector<std::uint32_t> switches_;
  test::Chain chain_;
};

/// The whole: paths inside, in, out and across, and a group of all hosts.
TEST_P(DamagedIsland, IsLedRoundAndTheWholeIsProven) {
  ChainRun run = chain_.good_run();
  EXPECT_EQ(test::outline(run.steps), "1 routed, 20 routed");
  fabric::MulticastGroup all{Lid(0xC000), 0, {}, {}};
  for (const fabric::EndPort& host : fabric_.end_ports()) all.members.push_back(host.port);
  std::ranges::sort(all.members);
  MulticastReport report;
  const verify::Verdict verdict = route_multicast(fabric_, {all}, {}, run, report);
  EXPECT_TRUE(verdict.clean()) << (verdict.findings.empty() ? "" : verdict.findings[0].message);
  const std::size_t hosts = fabric_.end_ports().size();
  EXPECT_EQ(verdict.pairs, hosts * (hosts - 1));
  EXPECT_EQ(verdict.groups, 1U);
  EXPECT_EQ(report.switches, fabric_.switch_count());

  const test::ScratchFolder folder;
  ASSERT_TRUE(dump_final(folder.path(), fabric_, run));
  ASSERT_TRUE(dump_path_sls(folder.path(), fabric_, run.tables));
  EXPECT_THAT(test::ibdmchk(folder, "-c path-sl.dump -d opensm-sl2vl.dump"),
              HasSubstr("-I- no credit loops found"));
}

/// Service levels of the island are told by coordinates: what fails changes none that is left.
TEST_P(DamagedIsland, KeepsTheServiceLevelsOfTheWhole) {
  const Fabric whole = hybrid();
  test::Chain before(whole);
  before.step(1, "minhop");
  before.step(20, "torus-2QoS", 1).torus = island(whole);
  std::vector<std::uint32_t> all(kIsland);
  for (std::uint32_t s = 0; s < kIsland; ++s) all[s] = s;
  before.topology(1, test::ports_of(whole, all));
  const ChainRun then = before.good_run(), now = chain_.good_run();
  const auto in_whole = [&](std::uint32_t s) {
    return *whole.switch_id(*whole.find_node(fabric_.node(SwitchId(s)).guid));
  };
  for (const std::uint32_t from : switches_)
    for (const std::uint32_t to : switches_)
      EXPECT_EQ(
          fabric::path_sl(fabric_, now.tables, SwitchId(from), fabric_.end_ports_of(SwitchId(to))[0].lid),
          fabric::path_sl(whole, then.tables, in_whole(from), whole.end_ports_of(in_whole(to))[0].lid))
          << from << " to " << to;
}

INSTANTIATE_TEST_SUITE_P(All, DamagedIsland,
                         testing::Values(Damage{"a_cable", {.links = {"switch 7:switch 12"}}},
                                         Damage{"two_cables_of_two_rings",
                                                {.links = {"switch 7:switch 12", "switch 18:switch 19"}}},
                                         Damage{"a_cable_at_the_border", {.links = {"switch 0:switch 20"}}},
                                         Damage{"a_way_in", {.links = {"switch 0:switch 29"}}},
                                         Damage{"a_switch", {.switches = {"switch 12"}}},
                                         Damage{"a_switch_beside_the_border", {.switches = {"switch 6"}}},
                                         Damage{"a_switch_and_a_cable",
                                                {.links = {"switch 3:switch 4"}, .switches = {"switch 17"}}}),
                         [](const auto& test) { return std::string(test.param.name); });

// Two routings that are free of credit loops each, and whose union is not.
class UnionOfSteps : public testing::Test {
 protected:
  static Fabric ring(std::uint8_t lmc) {
    test::Shape shape;
    shape.hosts = {1, 1, 1, 1};
    shape.cables = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    shape.lmc = lmc;
    return test::build(shape);
  }
  /// The ring without the cable between two neighbours: a line.
  static IdSet<PortId> line(const Fabric& fabric, std::uint32_t a, std::uint32_t b) {
    IdSet<PortId> ports = test::ports_of(fabric, {0, 1, 2, 3});
    for (const fabric::Neighbor& n : fabric.graph().neighbors(SwitchId(a)))
      if (n.sw == SwitchId(b)) ports.erase(fabric.port_id(SwitchId(a), fabric.graph().links(n)[0].out));
    return ports;
  }
};

TEST_F(UnionOfSteps, EachLineIsFree) {
  const Fabric fabric = ring(0);
  for (const std::uint32_t cut : {0U, 2U}) {
    test::Chain chain(fabric);
    chain.step(1, "minhop");
    chain.step(2, "minhop", 1);
    chain.topology(1, line(fabric, cut, (cut + 3) % 4));
    EXPECT_TRUE(verify::verify(fabric, chain.good_run().tables).clean());
  }
}

TEST_F(UnionOfSteps, TheCycleNamesEntriesOfBoth) {
  const Fabric fabric = ring(1);
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  chain.step(2, "minhop", 1).path_bit = 0;
  chain.step(3, "minhop", 2).path_bit = 1;
  chain.topology(1, line(fabric, 0, 3));
  chain.topology(2, line(fabric, 2, 1));
  const ChainRun run = chain.good_run();
  const verify::Verdict verdict = verify::verify(fabric, run.tables);
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(verdict.findings[0].kind, verify::FindingKind::credit_loop);
  EXPECT_EQ(verdict.findings[0].witness.size(), 4U);
  std::set<std::uint32_t> steps;
  for (const verify::Hop& hop : verdict.findings[0].witness)
    steps.insert(run.tables.steps[run.tables.step_of(hop.sw, hop.destination)].id.value);
  EXPECT_THAT(steps, testing::ElementsAre(2U, 3U));
}

}  // namespace
}  // namespace rch::chains
