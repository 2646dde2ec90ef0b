// The options that minhop, updn, dnup and dor share (opensm(8)).

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/minhop/minhop.h"
#include "engines/opensm_compat/glibc_random.h"
#include "engines/updn/updn.h"
#include "fabric/fabric_builder.h"
#include "support/golden_case.h"
#include "support/small_fabrics.h"
#include "table_judge.h"

namespace rch::engines::common {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

StepTables routed(const fabric::Fabric& fabric, const PortOptions& options) {
  return *minhop::route(fabric::SubFabric(fabric), {options});
}

Guid guid(const fabric::Fabric& fabric, std::uint32_t s) { return fabric.node(SwitchId(s)).guid; }

std::vector<int> ports_to(const fabric::Fabric& fabric, const StepTables& tables, std::uint32_t from,
                          std::uint32_t hosts_of) {
  std::vector<int> ports;
  for (const fabric::EndPort& host : fabric.end_ports_of(SwitchId(hosts_of)))
    ports.push_back(tables.lfts.at(SwitchId(from), host.lid));
  return ports;
}

TEST(PortOptions, HopWeightsKeepRoutesAway) {
  const fabric::Fabric fabric = test::build(test::clos(4, 2, 4));
  PortOptions options;
  options.hop_weights = {{{guid(fabric, 0), PortNum(5)}, 3}, {{guid(fabric, 4), PortNum(1)}, 3}};
  const StepTables tables = routed(fabric, options);
  for (std::uint32_t leaf : {1U, 2U, 3U}) {
    EXPECT_THAT(ports_to(fabric, tables, 0, leaf), ElementsAre(6, 6, 6, 6));
    EXPECT_THAT(ports_to(fabric, tables, leaf, 0), ElementsAre(6, 6, 6, 6));
  }
  EXPECT_EQ(tables.hops->at(SwitchId(0), SwitchId(4)), 3);
  EXPECT_EQ(tables.hops->at(SwitchId(4), SwitchId(1)), 1);
}

TEST(PortOptions, WeightsBeyond254AreNoWay) {
  const fabric::Fabric fabric = test::build({.hosts = {1, 1, 1}, .cables = {{0, 1}, {1, 2}}});
  PortOptions options;
  options.hop_weights = {{{guid(fabric, 0), PortNum(2)}, 200}, {{guid(fabric, 1), PortNum(3)}, 55}};
  const StepTables tables = routed(fabric, options);
  EXPECT_EQ(tables.hops->at(SwitchId(0), SwitchId(1)), 200);
  EXPECT_EQ(tables.hops->at(SwitchId(0), SwitchId(2)), HopMatrix::kUnknown);
  EXPECT_THAT(ports_to(fabric, tables, 0, 2), ElementsAre(kNoPath));
  EXPECT_THAT(ports_to(fabric, tables, 2, 0), ElementsAre(2));
}

TEST(PortOptions, PortsAreScannedInTheOrderGiven) {
  const fabric::Fabric fabric = test::build(test::clos(2, 3, 3));
  PortOptions options;
  options.port_search_ordering = {{guid(fabric, 0), {PortNum(6), PortNum(4)}}};
  EXPECT_THAT(ports_to(fabric, routed(fabric, options), 0, 1), ElementsAre(6, 4, 5));
}

TEST(PortOptions, OrderWithARepeatedPortIsLeftOut) {
  const fabric::Fabric fabric = test::build(test::clos(3, 3, 3));
  PortOptions options;
  options.port_search_ordering = {{guid(fabric, 0), {PortNum(6), PortNum(6)}},
                                  {guid(fabric, 1), {PortNum(5)}},
                                  {guid(fabric, 1), {PortNum(6)}},
                                  {guid(fabric, 2), {PortNum(7)}},
                                  {Guid(0x77), {PortNum(1)}}};
  const StepTables tables = routed(fabric, options);
  EXPECT_THAT(ports_to(fabric, tables, 0, 1), ElementsAre(4, 5, 6));
  EXPECT_THAT(ports_to(fabric, tables, 1, 0), ElementsAre(5, 4, 6));
  EXPECT_THAT(ports_to(fabric, tables, 2, 0), ElementsAre(4, 5, 6));
  EXPECT_THAT(
      tables.remarks,
      ElementsAre(HasSubstr("1 of 5 lines of `port_search_ordering_file` name no switch here: 0x"),
                  HasSubstr("2 of 5 lines of `port_search_ordering_file` name a port twice or one that "
                            "the switch does not have: `switch 0`")));
}

TEST(PortOptions, IgnoredPortsStayAtZero) {
  const fabric::Fabric fabric = test::build(test::clos(2, 3, 4));
  PortOptions options;
  options.port_prof_ignore = {{guid(fabric, 0), PortNum(6)}, {guid(fabric, 0), PortNum(9)}};
  const StepTables tables = routed(fabric, options);
  EXPECT_THAT(ports_to(fabric, tables, 0, 1), ElementsAre(5, 6, 6, 6));
  EXPECT_THAT(ports_to(fabric, tables, 1, 0), ElementsAre(5, 6, 7, 5));
  EXPECT_THAT(tables.remarks, ElementsAre(HasSubstr("1 of 2 lines of `port_prof_ignore_file` name no port")));
}

TEST(PortOptions, ListedPortsAreServedFirst) {
  const fabric::Fabric fabric = test::build(test::clos(2, 2, 3));
  const auto hosts = fabric.end_ports_of(SwitchId(1));
  PortOptions options;
  options.guid_routing_order = {fabric.port(hosts[2].port).guid, Guid(0x77), fabric.port(hosts[2].port).guid,
                                fabric.port(hosts[1].port).guid};
  const StepTables tables = routed(fabric, options);
  EXPECT_THAT(ports_to(fabric, tables, 0, 1), ElementsAre(4, 5, 4));
  EXPECT_THAT(tables.remarks, ElementsAre(HasSubstr("1 of 4 lines of `guid_routing_order_file`")));
}

TEST(PortOptions, RandomNumbersAreThoseOfGlibc) {
  for (std::uint32_t seed : {0U, 1U, 42U, 0x80000001U, 0xFFFFFFFFU}) {
    opensm_compat::GlibcRandom ours(seed);
    srandom(seed);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(ours.next(), static_cast<std::uint32_t>(random())) << seed;
  }
}

TEST(PortOptions, ScatterDrawsAmongTheLightest) {
  const fabric::Fabric fabric = test::build(test::clos(4, 4, 8));
  PortOptions options{.scatter_ports = 7};
  const StepTables one = routed(fabric, options), again = routed(fabric, options);
  EXPECT_EQ(test::difference(fabric, one.lfts, again.lfts), "");
  EXPECT_NE(test::difference(fabric, one.lfts, routed(fabric, {}).lfts), "");
  std::vector<int> load(256);
  for (std::uint32_t leaf : {1U, 2U, 3U})
    for (int port : ports_to(fabric, one, 0, leaf)) ++load[static_cast<std::size_t>(port)];
  EXPECT_THAT(std::vector(load.begin() + 9, load.begin() + 13), ElementsAre(6, 6, 6, 6));
  options.scatter_ports = 8;
  EXPECT_NE(test::difference(fabric, one.lfts, routed(fabric, options).lfts), "");
}

TEST(PortOptions, ListedPortsNeedNotBeScattered) {
  const fabric::Fabric fabric = test::build(test::clos(2, 4, 16));
  PortOptions options{.guid_routing_order_no_scatter = true, .scatter_ports = 7};
  for (const fabric::EndPort& host : fabric.end_ports())
    options.guid_routing_order.push_back(fabric.port(host.port).guid);
  const StepTables drawn_for_switches_only = routed(fabric, options);
  options.scatter_ports = 0;
  const StepTables plain = routed(fabric, options);
  EXPECT_EQ(ports_to(fabric, drawn_for_switches_only, 0, 1), ports_to(fabric, plain, 0, 1));
}

/// With n candidates and S entries so far the scan starts at (S / n) mod n.
TEST(PortOptions, ShiftingMovesTheStart) {
  const fabric::Fabric fabric = test::build(test::clos(2, 3, 9));
  EXPECT_THAT(ports_to(fabric, routed(fabric, {.port_shifting = true}), 0, 1),
              ElementsAre(10, 11, 12, 11, 12, 10, 12, 10, 11));
}

/// A triangle of switches with a host each; all links run at 4xQDR, the cable from switch 0 to 1 at 1xQDR.
fabric::Fabric triangle_with_slow_side() {
  const fabric::Fabric plain = test::build({.hosts = {1, 1, 1}, .cables = {{0, 1}, {0, 2}, {1, 2}}});
  fabric::FabricBuilder builder(plain);
  for (const fabric::Node& node : plain.nodes())
    for (fabric::PortSpec& port : builder.node(*builder.find(node.guid)).ports) {
      port.width = fabric::LinkWidth::x4;
      port.speed = fabric::LinkSpeed::qdr;
    }
  for (std::uint32_t s : {0U, 1U})
    builder.node(*builder.find(guid(plain, s))).ports[2].width = fabric::LinkWidth::x1;
  return *std::move(builder).build();
}

TEST(PortOptions, ThrottledCablesAreAvoided) {
  const fabric::Fabric fabric = triangle_with_slow_side();
  EXPECT_THAT(ports_to(fabric, routed(fabric, {}), 0, 1), ElementsAre(2));
  const StepTables tables = routed(fabric, {.avoid_throttled_links = true});
  EXPECT_THAT(ports_to(fabric, tables, 0, 1), ElementsAre(3));
  EXPECT_THAT(tables.remarks,
              ElementsAre("1 cable below the rate of both switches and not used: `switch 0` port 2 to "
                          "`switch 1` port 2"));
  // OpenSM's minhop does not read the option.
  const StepTables compat = routed(fabric, {.compat = true, .avoid_throttled_links = true});
  EXPECT_THAT(ports_to(fabric, compat, 0, 1), ElementsAre(2));
}

}  // namespace
}  // namespace rch::engines::common

namespace rch::engines::updn {
namespace {

/// Two switches below a root, joined by a cable: the one with the smaller number is the upper one.
TEST(UpdnIds, TurnACableOfEqualRanks) {
  const fabric::Fabric fabric =
      test::build({.hosts = {0, 1, 1, 1, 1}, .cables = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 4}}});
  const auto up_of = [&](const std::vector<SwitchNumber>& ids, std::uint32_t a, std::uint32_t b) {
    const fabric::SubFabric view(fabric);
    const std::vector<Start> root{{SwitchId(0)}};
    const auto rank = ranks(view.graph(), root);
    return towards_roots(rank, numbers(view, ids)).is_up(SwitchId(a), SwitchId(b));
  };
  EXPECT_TRUE(up_of({}, 2, 1));
  const std::vector<SwitchNumber> swapped{{fabric.node(SwitchId(1)).guid, 2},
                                          {fabric.node(SwitchId(2)).guid, 1}};
  EXPECT_TRUE(up_of(swapped, 1, 2));
  EXPECT_TRUE(up_of(swapped, 1, 0));
}

}  // namespace
}  // namespace rch::engines::updn
