#include "hw/discovery.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "fabric/fabric_builder.h"
#include "hw/fake_fabric.h"
#include "support/property.h"
#include "support/small_fabrics.h"

namespace rch::hw {
namespace {

using fabric::Fabric;
using test::FakeFabric;

/// Two leaves with two hosts each under two spines; switch 0 and 1 are the leaves.
const Fabric& small() {
  static const Fabric fabric = rch::test::build(rch::test::clos(2, 2, 2));
  return fabric;
}

PortId first_host(const Fabric& fabric) { return fabric.end_ports()[0].port; }

Result<LiveFabric> discover_fake(FakeFabric& fake, const SmpOptions& options = {}) {
  Driver driver(fake, options);
  return discover(driver);
}

std::string failure(FakeFabric& fake) {
  const auto live = discover_fake(fake, {.retries = 1});
  if (live) return "no failure";
  EXPECT_EQ(live.error().kind, ErrorKind::fabric);
  return live.error().message;
}

TEST(Discovery, FindsNodesPortsAndLinks) {
  FakeFabric fake(small(), first_host(small()));
  const auto live = discover_fake(fake);
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(live->fabric.fingerprint(), small().fingerprint());
  EXPECT_EQ(live->local, first_host(small()));
  EXPECT_EQ(live->fabric.origin(), live->local);
  for (std::uint32_t p = 0; p < small().ports().size(); ++p) {
    const fabric::Port& port = live->fabric.port(PortId(p));
    if (!port.peer.is_none()) {
      EXPECT_EQ(port.state, fabric::PortState::init);
      EXPECT_EQ(port.width, fabric::LinkWidth::x4);
      EXPECT_EQ(port.speed, fabric::LinkSpeed::qdr);
    }
  }
  EXPECT_TRUE(fake.sets.empty());
}

TEST(Discovery, RoutesAreShortestAndLeadToTheirPort) {
  FakeFabric fake(small(), first_host(small()));
  const auto live = discover_fake(fake);
  ASSERT_TRUE(live);
  const auto hops = [&](PortId port) { return unsigned{live->routes[port.index()].hops}; };
  EXPECT_EQ(hops(live->local), 0U);
  EXPECT_EQ(hops(small().port_id(SwitchId(0), PortNum(0))), 1U);
  EXPECT_EQ(hops(small().port_id(SwitchId(2), PortNum(0))), 2U);
  EXPECT_EQ(hops(small().port_id(SwitchId(1), PortNum(0))), 3U);
  EXPECT_EQ(hops(small().end_ports_of(SwitchId(1))[1].port), 4U);
}

TEST(Discovery, AsksEveryPortInfoOnceAndWithTheExtendedSpeedsBit) {
  FakeFabric fake(small(), first_host(small()));
  ASSERT_TRUE(discover_fake(fake));
  std::multiset<std::pair<NodeId, std::uint32_t>> asked;
  for (const test::Visit& visit : fake.gets) {
    if (visit.attribute != Attribute::port_info) continue;
    EXPECT_NE(visit.modifier & kExtendedSpeeds, 0U);
    asked.insert({visit.node, visit.modifier});
  }
  EXPECT_EQ(asked.size(), 2U * 5U + 2U * 3U + 4U);
  EXPECT_EQ(std::set(asked.begin(), asked.end()).size(), asked.size());
}

TEST(Discovery, AnyFabricIsFoundFromAnyHostWhateverTheLoss) {
  EXPECT_TRUE(rch::test::check([](std::uint32_t seed) {
    const Fabric fabric = rch::test::build(rch::test::random_shape(seed, 12));
    if (fabric.end_ports().empty()) return;
    FakeFabric fake(fabric, fabric.end_ports()[seed % fabric.end_ports().size()].port);
    std::uint32_t noise = seed;
    fake.lose_request = fake.lose_answer = [&](const test::Visit&) {
      noise = noise * 1664525U + 1013904223U;
      return noise >> 28U == 0;
    };
    const auto live = discover_fake(fake, {.retries = 12});
    RC_ASSERT(live.has_value());
    // Only the piece that hangs together with the host is seen; every node of it is as it was built.
    for (const fabric::Port& port : live->fabric.ports()) {
      const fabric::Node& node = live->fabric.node(port.node);
      const auto built = fabric.find_node(node.guid);
      RC_ASSERT(built.has_value());
      const fabric::Port& same = fabric.port(fabric.port_id(*built, port.number));
      RC_ASSERT(port.peer.is_none() == same.peer.is_none());
      if (port.peer.is_none()) continue;
      RC_ASSERT(live->fabric.port(port.peer).guid == fabric.port(same.peer).guid);
      RC_ASSERT(live->fabric.port(port.peer).number == fabric.port(same.peer).number);
    }
  }));
}

TEST(Discovery, APortWithNothingAnsweringBehindItFailsWithItsRoute) {
  FakeFabric fake(small(), first_host(small()));
  const NodeId silent = small().port(small().end_ports_of(SwitchId(1))[0].port).node;
  fake.lose_request = [&](const test::Visit& visit) { return visit.node == silent; };
  EXPECT_EQ(failure(fake),
            "the fabric cannot be seen whole: nothing answers behind `switch 1` port 1 (0x0000000000100008, "
            "route 0,1,3,2), which is up");
}

TEST(Discovery, ManySilentPortsAreNamedInOrderAndCounted) {
  const Fabric fabric = rch::test::build(rch::test::clos(2, 1, 8));
  FakeFabric fake(fabric, first_host(fabric));
  fake.lose_request = [&](const test::Visit& visit) {
    return !fabric.is_switch(visit.node) && visit.arrival != first_host(fabric);
  };
  const std::string message = failure(fake);
  EXPECT_NE(message.find("behind `switch 0` port 2 (0x0000000000100000, route 0,1), which is up; nothing"),
            std::string::npos)
      << message;
  EXPECT_TRUE(message.ends_with("; and 10 more")) << message;
}

TEST(Discovery, AnAgentThatDoesNotAnswerForOnePortFails) {
  FakeFabric fake(small(), first_host(small()));
  fake.lose_request = [](const test::Visit& visit) {
    return visit.node == NodeId(2) && visit.attribute == Attribute::port_info &&
           (visit.modifier & 0xFFU) == 2;
  };
  EXPECT_EQ(
      failure(fake),
      "the fabric cannot be seen whole: `switch 2` port 2 (0x0000000000100010, route 0,1,3) does not answer "
      "Get(PortInfo)");
}

TEST(Discovery, NonsenseIsNotBelieved) {
  const std::tuple<Attribute, Field, std::uint64_t, std::string> cases[] = {
      {Attribute::node_info, node_info::kType, 9, "node type 9"},
      {Attribute::node_info, node_info::kNumPorts, 0, "0 ports"},
      {Attribute::node_info, node_info::kLocalPort, 200, "local port 200 of 2"},
      {Attribute::node_info, node_info::kNodeGuid, 0, "a node GUID of 0"},
      {Attribute::port_info, port_info::kState, 7, "port state 7"},
      {Attribute::port_info, port_info::kMtuCap, 0, "MTU capability code 0"},
      {Attribute::port_info, port_info::kVlCap, 6, "VL capability code 6"},
      {Attribute::switch_info, switch_info::kLinearCap, 0, "has no linear forwarding table"},
  };
  for (const auto& [attribute, field, value, text] : cases) {
    FakeFabric fake(small(), first_host(small()));
    fake.bend = [&, attribute = attribute, field = field, value = value](const test::Visit& visit,
                                                                         SmpData& answer) {
      if (visit.node == NodeId(2) && visit.attribute == attribute) set(answer, field, value);
    };
    const std::string message = failure(fake);
    EXPECT_NE(message.find(text), std::string::npos) << message;
  }
}

TEST(Discovery, TwoNodesWithOneGuidAreNamed) {
  FakeFabric fake(small(), first_host(small()));
  const PortId twin = small().end_ports_of(SwitchId(1))[0].port;
  const PortId other = small().end_ports_of(SwitchId(1))[1].port;
  set(fake.node_info[small().port(twin).node.index()], node_info::kNodeGuid,
      small().node(small().port(other).node).guid.value);
  const std::string message = failure(fake);
  EXPECT_NE(message.find(
                "`switch 1` port 2 (0x0000000000100008, route 0,1,3,2) leads to port 1 of "
                "0x000000000090000c, but one of them leads to port 1 of 0x0000000000100008 (two nodes with "
                "one GUID, or a cable that moved)"),
            std::string::npos)
      << message;
}

TEST(Discovery, OurOwnPortMustBeUp) {
  FakeFabric fake(small(), first_host(small()));
  set(fake.port_info[first_host(small()).index()], port_info::kState, 1);
  EXPECT_TRUE(failure(fake).starts_with("our port is down: `"));
}

TEST(Discovery, ASilentFabricSaysSo) {
  FakeFabric fake(small(), first_host(small()));
  fake.lose_request = [](const test::Visit&) { return true; };
  EXPECT_EQ(failure(fake), "our own port does not answer Get(NodeInfo)");
}

TEST(Discovery, OfTwoPortsWithOneLidTheActiveOneKeepsIt) {
  FakeFabric fake(small(), first_host(small()));
  const PortId first = small().end_ports()[1].port;
  const PortId second = small().end_ports()[3].port;
  for (PortId port : {first, second}) set(fake.port_info[port.index()], port_info::kLid, 9);
  set(fake.port_info[second.index()], port_info::kState, 4);
  const auto live = discover_fake(fake);
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(live->fabric.port(first).lid, kUnassignedLid);
  EXPECT_EQ(live->fabric.port(second).lid, Lid(9));
  EXPECT_EQ(live->fabric.lid_owner(Lid(9)), second);
}

TEST(Discovery, OtherSubnetManagersAreAskedWhoTheyAre) {
  FakeFabric fake(small(), first_host(small()));
  const PortId master = small().end_ports()[1].port;
  const PortId silent = small().end_ports()[2].port;
  for (PortId port : {master, silent, first_host(small())})
    set(fake.port_info[port.index()], port_info::kCapIsSm, 1);
  set(fake.sm_info[master], sm_info::kState, 3);
  set(fake.sm_info[master], sm_info::kPriority, 5);
  set(fake.sm_info[master], sm_info::kKey, 1);
  const auto live = discover_fake(fake, {.retries = 0});
  ASSERT_TRUE(live);
  ASSERT_EQ(live->other_sms.size(), 3U);
  EXPECT_EQ(live->other_sms[0].port, first_host(small()));
  EXPECT_EQ(live->other_sms[1].port, master);
  EXPECT_EQ(live->other_sms[1].guid, small().port(master).guid);
  EXPECT_EQ(live->other_sms[1].info.state, SmState::master);
  EXPECT_EQ(live->other_sms[1].info.priority, 5);
  EXPECT_EQ(live->other_sms[1].info.key, 1U);
  EXPECT_FALSE(live->other_sms[2].answered);
}

}  // namespace
}  // namespace rch::hw
