// Small fabrics that updn routes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/common/distances.h"
#include "engines/updn/orientation.h"
#include "engines/updn/roots.h"
#include "engines/updn/updn.h"
#include "support/golden_case.h"
#include "support/small_fabrics.h"
#include "table_judge.h"

namespace rch::engines::updn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

EngineResult routed(const fabric::Fabric& fabric, const Options& options) {
  return route(fabric::SubFabric(fabric), options);
}

std::size_t routed_entries(const fabric::ForwardingTables& lfts) {
  std::size_t routed = 0;
  for (std::uint32_t s = 0; s < lfts.switch_count(); ++s)
    routed += lfts.stride() - static_cast<std::size_t>(std::ranges::count(lfts.row(SwitchId(s)), kNoPath));
  return routed;
}

std::vector<std::uint32_t> roots_of(const fabric::Fabric& fabric, bool as_opensm) {
  const fabric::SubFabric view(fabric);
  const auto found =
      detected_roots(view, common::distances_to(view.graph(), switches_with_hosts(view)), as_opensm);
  std::vector<std::uint32_t> roots;
  if (found)
    for (const Start& s : found->switches) roots.push_back(s.sw.value);
  return roots;
}

/// Three-level tree of k-port switches: edges, then aggregation, then cores.
test::Shape fat_tree(std::uint32_t k) {
  const std::uint32_t half = k / 2, edges = k * half;
  test::Shape shape;
  shape.hosts.assign(2 * edges + half * half, 0);
  std::fill_n(shape.hosts.begin(), edges, half);
  for (std::uint32_t e = 0; e < edges; ++e)
    for (std::uint32_t i = 0; i < half; ++i) shape.cables.push_back({e, edges + e / half * half + i});
  for (std::uint32_t a = 0; a < edges; ++a)
    for (std::uint32_t i = 0; i < half; ++i)
      shape.cables.push_back({edges + a, 2 * edges + a % half * half + i});
  return shape;
}

// One host of 17 on a spine is more than the 5 % that OpenSM's rule leaves room for.
TEST(UpdnTables, AHostOnASpineDoesNotHideTheRoots) {
  test::Shape shape = test::clos(4, 2, 4);
  shape.hosts[4] = 1;
  const fabric::Fabric fabric = test::build(shape);
  EXPECT_THAT(roots_of(fabric, true), testing::IsEmpty());
  EXPECT_THAT(roots_of(fabric, false), testing::ElementsAre(4, 5));
}

TEST(UpdnTables, WideTreeHasItsSpinesAsRoots) {
  const fabric::Fabric fabric = test::build(test::clos(24, 6, 6));
  EXPECT_EQ(roots_of(fabric, true).size(), 30U);
  EXPECT_THAT(roots_of(fabric, false), ElementsAre(24, 25, 26, 27, 28, 29));
  const auto tables = routed(fabric, {});
  ASSERT_TRUE(tables);
  EXPECT_THAT(tables->remarks,
              ElementsAre(HasSubstr("6 roots found: `switch 24`"), HasSubstr("30 of 30 switches look like")));
}

TEST(UpdnTables, ThreeLevelTree) {
  const fabric::Fabric fabric = test::build(fat_tree(8));
  EXPECT_EQ(roots_of(fabric, false).size(), 16U);
  const auto strict = routed(fabric, {}), compat = routed(fabric, {.ports = {.compat = true}});
  ASSERT_TRUE(strict && compat);
  EXPECT_EQ(routed_entries(strict->lfts), 14864U);
  EXPECT_EQ(test::difference(fabric, strict->lfts, compat->lfts), "");
}

TEST(UpdnTables, GraphsWithoutATopAreRefused) {
  test::Shape ring;
  ring.hosts.assign(8, 1);
  for (std::uint32_t s = 0; s < 8; ++s) ring.cables.push_back({s, (s + 1) % 8});
  test::Shape cube;
  cube.hosts.assign(16, 1);
  for (std::uint32_t s = 0; s < 16; ++s)
    for (std::uint32_t bit : {1U, 2U, 4U, 8U})
      if ((s & bit) == 0) cube.cables.push_back({s, s | bit});
  for (const test::Shape& shape : {ring, cube})
    for (bool compat : {false, true}) {
      const auto tables = routed(test::build(shape), {.ports = {.compat = compat}});
      ASSERT_FALSE(tables);
      EXPECT_EQ(tables.error().rule, "no-roots");
    }
}

TEST(UpdnTables, EqualRanksMakeOpenSmLoop) {  // ports of each switch in the order of the case
  const fabric::Fabric fabric = test::build(
      {.hosts = std::vector<std::uint32_t>(8, 1),
       .cables = {
           {2, 6}, {0, 6}, {0, 1}, {1, 4}, {2, 3}, {2, 7}, {0, 7}, {3, 5}, {1, 3}, {3, 4}, {4, 6}, {2, 5}}});
  const std::vector<Start> root{{SwitchId(0)}};
  EXPECT_THAT(ranks(fabric.graph(), root), ElementsAre(0, 1, 2, 2, 2, 3, 1, 1));
  const std::vector<Root> roots{{fabric.node(SwitchId(0)).guid}};
  const auto compat = routed(fabric, {.roots = roots, .ports = {.compat = true}});
  const auto strict = routed(fabric, {.roots = roots});
  ASSERT_TRUE(compat && strict);
  EXPECT_NE(test::credit_cycle(fabric, compat->lfts), "");
  EXPECT_EQ(test::credit_cycle(fabric, strict->lfts, true), "");
  for (const fabric::EndPort& host : fabric.end_ports())
    for (std::uint32_t s = 0; s < 8; ++s)
      EXPECT_TRUE(test::path(fabric, strict->lfts, SwitchId(s), host.lid));
}

TEST(UpdnTables, HostsOnSeveralRoots) {
  const fabric::Fabric fabric =
      test::build({.hosts = {2, 2, 1, 1}, .cables = {{0, 2}, {0, 3}, {1, 2}, {1, 3}}});
  Options options{.roots = {{fabric.node(SwitchId(0)).guid}, {fabric.node(SwitchId(1)).guid}}};
  const Lid on_other_root = fabric.end_ports_of(SwitchId(1))[0].lid;
  const auto apart = routed(fabric, options);
  ASSERT_TRUE(apart);
  EXPECT_EQ(apart->lfts.at(SwitchId(0), on_other_root), kNoPath);
  EXPECT_THAT(apart->remarks, ElementsAre(HasSubstr("8 of 30 pairs of end ports")));
  options.connect_roots = true;
  const auto joined = routed(fabric, options);
  ASSERT_TRUE(joined);
  EXPECT_TRUE(test::path(fabric, joined->lfts, SwitchId(0), on_other_root));
  EXPECT_EQ(joined->hops->at(SwitchId(0), SwitchId(1)), 2);
}

TEST(UpdnTables, RootsMayBeNamedByTheirHosts) {
  const fabric::Fabric fabric = test::build(test::clos(3, 2, 1));
  const fabric::EndPort& host = fabric.end_ports_of(SwitchId(1))[0];
  const fabric::Port& port = fabric.port(host.port);
  const auto by_switch = routed(fabric, {.roots = {{fabric.node(SwitchId(1)).guid}}});
  const auto by_node = routed(fabric, {.roots = {{fabric.node(port.node).guid}, {Guid(0x77)}}});
  const auto by_port = routed(fabric, {.roots = {{port.guid}}});
  ASSERT_TRUE(by_switch && by_node && by_port);
  EXPECT_TRUE(by_switch->lfts == by_node->lfts);
  EXPECT_TRUE(by_switch->lfts == by_port->lfts);
  EXPECT_THAT(by_node->remarks, ElementsAre(HasSubstr("is no switch: `switch 1` "),
                                            "1 root GUIDs name nothing here: 0x0000000000000077"));
}

/// A line of switches, both ends named: the one of rank 2 is not the top, and its neighbour is nearer to rank
/// 0.
TEST(UpdnTables, RootsMayHaveARank) {
  const fabric::Fabric fabric =
      test::build({.hosts = {1, 1, 1, 1, 1}, .cables = {{0, 1}, {1, 2}, {2, 3}, {3, 4}}});
  const std::vector<Start> starts{{SwitchId(0)}, {SwitchId(4), 2}};
  EXPECT_THAT(ranks(fabric.graph(), starts), ElementsAre(0, 1, 2, 3, 2));
  const auto named =
      named_roots(fabric::SubFabric(fabric), std::vector<Root>{{fabric.node(SwitchId(4)).guid, 3},
                                                               {fabric.node(SwitchId(0)).guid},
                                                               {fabric.node(SwitchId(4)).guid, 2}});
  ASSERT_TRUE(named);
  ASSERT_EQ(named->switches.size(), 2U);
  EXPECT_EQ(named->switches[1].sw, SwitchId(4));
  EXPECT_EQ(named->switches[1].rank, 2U);
}

TEST(UpdnTables, UnknownRootsAreRefused) {
  const auto tables = routed(test::build(test::clos(3, 2, 1)), {.roots = {{Guid(0x77)}}});
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().rule, "no-roots");
  EXPECT_THAT(tables.error().guids, ElementsAre(Guid(0x77)));
}

TEST(DnupTables, NoHostsIsRefused) {
  const fabric::Fabric fabric = test::build({.hosts = {0, 0}, .cables = {{0, 1}}});
  const auto tables = route_dnup(fabric::SubFabric(fabric), {});
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().rule, "no-leaves");
}

/// On a two-level tree away from the leaves is towards the spines.
TEST(DnupTables, EqualsUpdnOnATree) {
  const fabric::Fabric fabric = test::build(test::clos(4, 2, 3, 2));
  const auto up = routed(fabric, {});
  const auto down = route_dnup(fabric::SubFabric(fabric), {});
  ASSERT_TRUE(up && down);
  EXPECT_EQ(test::difference(fabric, up->lfts, down->lfts), "");
}

}  // namespace
}  // namespace rch::engines::updn
