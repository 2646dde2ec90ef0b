// What is compared beside paths, part by part, and what is not compared because a side does not know it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "by_hand.h"
#include "compare/comparison.h"
#include "fabric/fabric_builder.h"
#include "support/small_fabrics.h"

namespace rch::compare {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Two leaves with two hosts each, one spine.
struct Parts : testing::Test {
  fabric::Fabric fabric = test::build(test::clos(2, 1, 2));

  fabric::RoutingTables tables() const { return test::random_tables(fabric, 1, 0); }
  Side side(fabric::RoutingTables tables) const { return test::side("a", fabric, std::move(tables)); }
  PortId host(std::size_t number) const { return fabric.end_ports()[number].port; }
};

TEST_F(Parts, OfAStepWithAnotherSlAllHostsAskAgain) {
  fabric::RoutingTables other = tables();
  other.steps.front().sl.base = 2;
  const Comparison c = compare(side(tables()), side(std::move(other)));
  EXPECT_EQ(c.sls.pairs, 12U);
  EXPECT_EQ(c.sls.changed, 12U);
  EXPECT_EQ(c.sls.hosts, 4U);
  EXPECT_FALSE(c.equal());
}

TEST_F(Parts, GivenSlsCountWhereBothSidesKnowThem) {
  Side before = side(tables()), after = side(tables());
  const Lid to = fabric.port(host(3)).lid;
  for (Side* one : {&before, &after}) {
    one->given_sls.emplace(fabric.ports().size());
    std::vector<std::uint8_t> levels(to.index() + 1, verify::GivenSls::kUnknown);
    levels[to.index()] = one == &before ? 0 : 1;
    one->given_sls->set(host(0), levels);
  }
  const Comparison c = compare(before, after);
  EXPECT_EQ(c.sls.pairs, 1U);
  EXPECT_EQ(c.sls.unknown, 11U);
  EXPECT_EQ(c.sls.changed, 1U);
  ASSERT_EQ(c.sls.changes.size(), 1U);
  EXPECT_THAT(c.sls.changes[0].hosts, ElementsAre(host(0)));
  EXPECT_TRUE(c.sls.changes[0].lids.contains(to));
}

TEST_F(Parts, Sl2VlTablesDifferBySwitch) {
  const std::vector<std::uint8_t> ports{fabric.node(SwitchId(0)).num_ports,
                                        fabric.node(SwitchId(1)).num_ports,
                                        fabric.node(SwitchId(2)).num_ports};
  fabric::RoutingTables was = tables(), is = tables();
  was.sl2vl = fabric::Sl2VlTables(ports, fabric::kIdentitySl2Vl);
  is.sl2vl = fabric::Sl2VlTables(ports, fabric::kIdentitySl2Vl);
  fabric::Sl2VlMap one{};
  is.sl2vl.set(SwitchId(0), PortNum(1), PortNum(2), is.sl2vl.intern(one));
  const Comparison c = compare(side(std::move(was)), side(std::move(is)));
  ASSERT_EQ(c.settings.size(), 1U);
  EXPECT_EQ(c.settings[0].port, fabric.port_id(SwitchId(0), PortNum(0)));
  EXPECT_EQ(c.settings[0].text, "maps service levels otherwise for 1 pair of ports");
}

TEST_F(Parts, PKeysAreSetsOfEachPort) {
  fabric::RoutingTables was = tables(), is = tables();
  was.pkeys = {.ports = {host(0), host(1)}, .begin = {0, 2, 3}, .keys = {0xFFFF, 0x8001, 0xFFFF}};
  is.pkeys = {.ports = {host(0), host(1)}, .begin = {0, 2, 4}, .keys = {0x8001, 0xFFFF, 0xFFFF, 0x8002}};
  const Comparison c = compare(side(std::move(was)), side(std::move(is)));
  ASSERT_EQ(c.settings.size(), 1U);
  EXPECT_EQ(c.settings[0].port, host(1));
  EXPECT_EQ(c.settings[0].text, "gains P_Key 0x8002");
}

TEST_F(Parts, GroupsDifferByMulticastLid) {
  fabric::RoutingTables was = tables(), is = tables();
  const PortId first = fabric.port_id(SwitchId(0), PortNum(1)),
               second = fabric.port_id(SwitchId(0), PortNum(2));
  was.groups = {{.mlid = Lid(0xC000), .members = {host(0)}, .ports = {first}},
                {.mlid = Lid(0xC001), .members = {}, .ports = {first}}};
  is.groups = {{.mlid = Lid(0xC000), .members = {host(0), host(1)}, .ports = {first, second}},
               {.mlid = Lid(0xC002), .members = {}, .ports = {second}}};
  const Comparison c = compare(side(std::move(was)), side(std::move(is)));
  ASSERT_EQ(c.groups.size(), 3U);
  EXPECT_EQ(c.groups[0].entries_new, 1U);
  EXPECT_EQ(c.groups[0].entries_gone, 0U);
  EXPECT_EQ(c.groups[0].members_new, 1U);
  EXPECT_TRUE(c.groups[1].is_gone);
  EXPECT_TRUE(c.groups[2].is_new);
}

TEST_F(Parts, WhatASideDoesNotKnowIsNoDifference) {
  fabric::RoutingTables other = tables();
  other.steps.front().sl.base = 2;
  other.groups = {{.mlid = Lid(0xC000), .members = {}, .ports = {}}};
  Side before = side(tables());
  before.of(Part::sls) = {Knowledge::Kind::unknown, "has no file with them"};
  before.of(Part::groups) = {Knowledge::Kind::unknown, "has no file with them"};
  const Comparison c = compare(before, side(std::move(other)));
  EXPECT_TRUE(c.equal());
  ASSERT_EQ(c.not_compared.size(), 2U);
  EXPECT_EQ(to_string(c.not_compared[0].part), "service levels of paths");
  EXPECT_EQ(c.not_compared[0].why, "`a` has no file with them");
}

TEST_F(Parts, WhatBothLeaveIsEqualAndWhatOneLeavesIsNotCompared) {
  Side before = side(tables()), after = side(tables());
  before.of(Part::pkeys) = {Knowledge::Kind::left, "leaves them as ports hold them"};
  after.of(Part::pkeys) = before.of(Part::pkeys);
  EXPECT_THAT(compare(before, after).not_compared, IsEmpty());
  after.of(Part::pkeys) = {};
  EXPECT_EQ(compare(before, after).not_compared.size(), 1U);
}

TEST_F(Parts, MovedLidsAreSaidAndTheirPathsAreTheSame) {
  std::vector<fabric::LidAssignment> lids;
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p)
    if (const fabric::Port& port = fabric.port(PortId(p)); port.lid != kUnassignedLid)
      lids.push_back({PortId(p), Lid(static_cast<std::uint16_t>(port.lid.value + 10)), port.lmc});
  const fabric::Fabric moved = *fabric::with_lids(fabric::Fabric(fabric), lids);
  const Comparison c = compare(side(tables()), test::side("b", moved, test::random_tables(moved, 1, 0)));
  EXPECT_EQ(c.ports.size(), lids.size());
  EXPECT_EQ(c.forwarding.entries.total(), 0U);
  EXPECT_EQ(c.forwarding.changed, 0U);
  EXPECT_FALSE(c.equal());
}

}  // namespace
}  // namespace rch::compare
