#include "hw/discovery.h"
#include "hw/driver.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "fabric/fabric_builder.h"
#include "fabric/formats.h"
#include "sim/simulated_fabric.h"
#include "support/property.h"
#include "support/small_fabrics.h"

namespace rch::hw {
namespace {

using fabric::Fabric;
using sim::SimulatedFabric;

/// Two leaves with two hosts each under two spines; switch 0 and 1 are the leaves.
const Fabric& small() {
  static const Fabric fabric = rch::test::build(rch::test::clos(2, 2, 2));
  return fabric;
}

PortId first_host(const Fabric& fabric) { return fabric.end_ports()[0].port; }

Result<LiveFabric> discover_fake(sim::SimulatedFabric& fake, const SmpOptions& options = {},
                                 bool strict = false) {
  Driver driver(fake, options);
  return driver.wait(discover(driver, {.strict = strict}));
}

std::string failure(sim::SimulatedFabric& fake, bool strict = true) {
  const auto live = discover_fake(fake, {.retries = 1}, strict);
  if (live) return "no failure";
  EXPECT_EQ(live.error().kind, ErrorKind::fabric);
  return fmt::format("{} [{}]", live.error().message, live.error().cause);
}

TEST(Discovery, FindsNodesPortsAndLinks) {
  sim::SimulatedFabric fake(small(), first_host(small()));
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

/// Found by a fuzzer: a snapshot of such a fabric could not be read.
TEST(Discovery, GivenNamesStandInMessagesBesideDescriptions) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  Driver driver(fake, {});
  const fabric::Node& sw = small().node(SwitchId(0));
  driver.name_nodes(std::make_shared<const fabric::NodeNames>(fabric::NodeNames{{sw.guid, "rack 1"}}));
  auto live = driver.wait(discover(driver));
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(live->fabric.node(SwitchId(0)).description, sw.description);
  EXPECT_EQ(live->fabric.node(SwitchId(0)).name(), "rack 1");
  EXPECT_TRUE(describe_port(*live, live->port0(SwitchId(0))).starts_with("`rack 1` port 0"));

  // Other names hold from the next look on, also where nothing else has changed.
  driver.name_nodes(std::make_shared<const fabric::NodeNames>(fabric::NodeNames{{sw.guid, "rack 2"}}));
  const auto again = driver.wait(look_again(driver, *live, {}));
  ASSERT_TRUE(again && *again);
  EXPECT_EQ((*again)->fabric.node(SwitchId(0)).name(), "rack 2");
  EXPECT_EQ((*again)->fabric.fingerprint(), small().fingerprint());
}

TEST(Discovery, TakesAWidthThatIsNoneForUnknown) {
  for (const unsigned width : {0xEDU, 3U, 0x80U}) {
    sim::SimulatedFabric fake(small(), first_host(small()));
    fake.bend = [&](const sim::Visit& visit, SmpData& answer) {
      if (visit.attribute == Attribute::port_info) set(answer, port_info::kWidthActive, width);
    };
    const auto live = discover_fake(fake);
    ASSERT_TRUE(live) << live.error().message;
    for (const fabric::Port& port : live->fabric.ports()) EXPECT_EQ(port.width, fabric::LinkWidth::unknown);
    EXPECT_TRUE(fabric::read_snapshot(fabric::write_snapshot(live->fabric)));
  }
}

TEST(Discovery, RoutesAreShortestAndLeadToTheirPort) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  const auto live = discover_fake(fake);
  ASSERT_TRUE(live);
  const auto hops = [&](PortId port) { return unsigned{live->routes[port.index()].hops}; };
  EXPECT_EQ(hops(live->local), 0U);
  EXPECT_EQ(hops(small().port_id(SwitchId(0), PortNum(0))), 1U);
  EXPECT_EQ(hops(small().port_id(SwitchId(2), PortNum(0))), 2U);
  EXPECT_EQ(hops(small().port_id(SwitchId(1), PortNum(0))), 3U);
  EXPECT_EQ(hops(small().end_ports_of(SwitchId(1))[1].port), 4U);
}

TEST(Discovery, TheOtherPortOfOurAdapterIsReachedOverItsOwnCable) {
  rch::test::Shape shape = rch::test::clos(2, 2, 2);
  shape.adapter_ports = 2;
  const Fabric fabric = rch::test::build(shape);
  sim::SimulatedFabric fake(fabric, first_host(fabric));
  const auto live = discover_fake(fake);
  ASSERT_TRUE(live) << live.error().message;
  const std::span ports = fabric.end_ports_of(SwitchId(0));
  EXPECT_EQ(live->routes[ports[0].port.index()].hops, 0U);
  EXPECT_EQ(to_string(live->routes[ports[1].port.index()]), "0,1,2") << "by switch port 2";
}

TEST(Discovery, AsksEveryPortInfoOnceAndWithTheExtendedSpeedsBit) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  ASSERT_TRUE(discover_fake(fake));
  std::multiset<std::pair<NodeId, std::uint32_t>> asked;
  for (const sim::Visit& visit : fake.gets) {
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
    sim::SimulatedFabric fake(fabric, fabric.end_ports()[seed % fabric.end_ports().size()].port);
    std::uint32_t noise = seed;
    fake.lose_request = fake.lose_answer = [&](const sim::Visit&) {
      noise = noise * 1664525U + 1013904223U;
      return noise >> 28U == 0;
    };
    const auto live = discover_fake(fake, {}, true);
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
  sim::SimulatedFabric fake(small(), first_host(small()));
  const NodeId silent = small().port(small().end_ports_of(SwitchId(1))[0].port).node;
  fake.lose_request = [&](const sim::Visit& visit) { return visit.node == silent; };
  EXPECT_EQ(failure(fake),
            "the fabric cannot be seen whole: nothing answers behind `switch 1` port 1 (0x0000000000100008, "
            "route 0,1,3,2), which is up [fabric-not-whole]");
}

TEST(Discovery, ManySilentPortsAreNamedInOrderAndCounted) {
  const Fabric fabric = rch::test::build(rch::test::clos(2, 1, 8));
  sim::SimulatedFabric fake(fabric, first_host(fabric));
  fake.lose_request = [&](const sim::Visit& visit) {
    return !fabric.is_switch(visit.node) && visit.arrival != first_host(fabric);
  };
  const std::string message = failure(fake);
  EXPECT_NE(message.find("behind `switch 0` port 2 (0x0000000000100000, route 0,1), which is up; nothing"),
            std::string::npos)
      << message;
  EXPECT_TRUE(message.ends_with("; and 10 more [fabric-not-whole]")) << message;
}

TEST(Discovery, AnAgentThatDoesNotAnswerForOnePortFails) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  fake.lose_request = [](const sim::Visit& visit) {
    return visit.node == NodeId(2) && visit.attribute == Attribute::port_info &&
           (visit.modifier & 0xFFU) == 2;
  };
  EXPECT_EQ(
      failure(fake),
      "the fabric cannot be seen whole: `switch 2` port 2 (0x0000000000100010, route 0,1,3) does not answer "
      "Get(PortInfo) [fabric-not-whole]");
}

TEST(Discovery, NonsenseIsNotBelieved) {
  const std::tuple<Attribute, Field, std::uint64_t, std::string> cases[] = {
      {Attribute::node_info, node_info::kType, 9, "node type 9"},
      {Attribute::node_info, node_info::kNumPorts, 0, "0 ports"},
      {Attribute::node_info, node_info::kLocalPort, 200, "local port 200 of 2"},
      {Attribute::node_info, node_info::kLocalPort, 0, "local port 0"},
      {Attribute::node_info, node_info::kNodeGuid, 0, "a node GUID of 0"},
      {Attribute::port_info, port_info::kState, 7, "port state 7"},
      {Attribute::port_info, port_info::kMtuCap, 0, "MTU capability code 0"},
      {Attribute::port_info, port_info::kVlCap, 6, "VL capability code 6"},
      {Attribute::switch_info, switch_info::kLinearCap, 0, "has no linear forwarding table"},
  };
  for (const auto& [attribute, field, value, text] : cases) {
    sim::SimulatedFabric fake(small(), first_host(small()));
    fake.bend = [&, attribute = attribute, field = field, value = value](const sim::Visit& visit,
                                                                         SmpData& answer) {
      if (visit.node == NodeId(2) && visit.attribute == attribute) set(answer, field, value);
    };
    const std::string message = failure(fake);
    EXPECT_NE(message.find(text), std::string::npos) << message;
  }
}

/// "place: reason" of what was left out.
std::vector<std::string> left_out(const LiveFabric& live) {
  std::vector<std::string> lines;
  for (const fabric::Quarantined& q : live.quarantine) lines.push_back(q.place + ": " + q.reason);
  return lines;
}

/// A node shows the GUIDs of another one.
void make_twin(sim::SimulatedFabric& fake, NodeId node, NodeId of) {
  for (const Field field : {node_info::kNodeGuid, node_info::kPortGuid})
    set(fake.node_info[node.index()], field, get(fake.node_info[of.index()], field));
}

NodeId host_node(std::uint32_t sw, std::size_t host) {
  return small().port(small().end_ports_of(SwitchId(sw))[host].port).node;
}

TEST(Twins, OfTwoHostsTheOneSeenSecondIsLeftOut) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  make_twin(fake, host_node(1, 0), host_node(1, 1));
  const std::string text =
      "leads to port 1 of 0x000000000090000c, which leads elsewhere (two nodes with one GUID, or a cable "
      "that "
      "moved)";
  const auto live = discover_fake(fake);
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(left_out(*live),
            std::vector<std::string>{"`switch 1` port 2 (0x0000000000100008, route 0,1,3,2): " + text});
  EXPECT_EQ(live->fabric.end_ports().size(), 3U);
  EXPECT_NE(failure(fake).find(text + " [inconsistent-answers]"), std::string::npos);
}

TEST(Twins, OfOurOwnGuidAreLeftOut) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  make_twin(fake, host_node(1, 0), small().port(first_host(small())).node);
  const auto live = discover_fake(fake);
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(live->quarantine.size(), 1U);
  EXPECT_EQ(live->fabric.end_ports().size(), 3U);
}

TEST(Twins, WithOnePortGuidAreLeftOut) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  fake.bend = [](const sim::Visit& visit, SmpData& answer) {
    if (visit.attribute == Attribute::node_info && visit.node == host_node(1, 1))
      set(answer, node_info::kPortGuid, small().port(small().end_ports_of(SwitchId(1))[0].port).guid.value);
  };
  const auto live = discover_fake(fake);
  ASSERT_TRUE(live) << live.error().message;
  ASSERT_EQ(live->quarantine.size(), 1U);
  EXPECT_NE(live->quarantine[0].reason.find(", which another port has"), std::string::npos)
      << live->quarantine[0].reason;
  EXPECT_EQ(live->fabric.end_ports().size(), 3U);
}

TEST(Twins, OfTwoSwitchesTheOneSeenSecondIsLeftOutWithAllItsCables) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  make_twin(fake, NodeId(3), NodeId(2));
  const auto live = discover_fake(fake);
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(live->quarantine.size(), 2U);
  EXPECT_EQ(live->fabric.switch_count(), 3U);
  EXPECT_EQ(live->fabric.end_ports().size(), 4U);
  EXPECT_EQ(
      std::ranges::count_if(live->fabric.ports(), [](const auto& port) { return !port.peer.is_none(); }),
      2 * 6);
}

TEST(Twins, OfTwoLeavesTheHostsOfTheSecondAreLeftOutToo) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  make_twin(fake, NodeId(1), NodeId(0));
  const auto live = discover_fake(fake);
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(live->quarantine.size(), 2U);
  EXPECT_EQ(live->fabric.switch_count(), 3U);
  EXPECT_EQ(live->fabric.end_ports().size(), 2U);
}

// The two use other ports, so that no port leads to two places.
TEST(Twins, OfTwoSwitchesThatCouldBeOneAreTold) {
  const Fabric fabric = rch::test::build(rch::test::clos(2, 3, 2));
  sim::SimulatedFabric fake(fabric, first_host(fabric));
  make_twin(fake, NodeId(3), NodeId(2));
  fake.pull(fabric.port_id(SwitchId(2), PortNum(2)), false);
  fake.pull(fabric.port_id(SwitchId(3), PortNum(1)), false);
  const auto live = discover_fake(fake);
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(live->quarantine.size(), 1U);
  EXPECT_EQ(live->quarantine[0].node, fabric.node(SwitchId(1)).guid);
  EXPECT_EQ(live->fabric.switch_count(), 4U);
  EXPECT_EQ(live->fabric.end_ports().size(), 4U);
}

TEST(Twins, ThatAreGoneInASecondSweepAreNone) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  std::size_t sweeps = 0;
  fake.bend = [&](const sim::Visit& visit, SmpData& answer) {
    if (visit.attribute != Attribute::node_info) return;
    sweeps += visit.arrival == first_host(small()) && visit.node == small().port(first_host(small())).node;
    if (sweeps == 1 && visit.node == host_node(1, 0))
      set(answer, node_info::kNodeGuid, small().node(host_node(1, 1)).guid.value);
  };
  const auto live = discover_fake(fake);
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(sweeps, 2U);
  EXPECT_TRUE(live->quarantine.empty());
  EXPECT_EQ(live->fabric.end_ports().size(), 4U);
}

/// Nodes that a directed route passes or ends at.
std::set<Guid> nodes_on(const Fabric& fabric, PortId origin, const Route& route) {
  std::set<Guid> guids;
  PortId at = origin;
  for (std::size_t hop = 1; hop <= route.hops; ++hop) {
    at = fabric.port(fabric.port_id(fabric.port(at).node, PortNum(route.ports[hop]))).peer;
    guids.insert(fabric.node(fabric.port(at).node).guid);
  }
  return guids;
}

TEST(Quarantine, AHostThatDoesNotAnswerIsLeftOut) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  const NodeId silent = small().port(small().end_ports_of(SwitchId(1))[0].port).node;
  fake.lose_request = [&](const sim::Visit& visit) { return visit.node == silent; };
  const auto live = discover_fake(fake, {.retries = 1});
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(left_out(*live),
            std::vector<std::string>{"`switch 1` port 1 (0x0000000000100008, route 0,1,3,2): nothing answers "
                                     "behind it, which is up"});
  EXPECT_EQ(live->quarantine[0].node, small().node(SwitchId(1)).guid);
  EXPECT_EQ(live->quarantine[0].port, PortNum(1));
  EXPECT_FALSE(live->fabric.find_node(small().node(silent).guid));
  EXPECT_EQ(live->fabric.end_ports().size(), 3U);
}

TEST(Quarantine, AHostThatAnswersPartlyIsLeftOut) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  const NodeId faulty = small().port(small().end_ports_of(SwitchId(1))[0].port).node;
  fake.lose_request = [&](const sim::Visit& visit) {
    return visit.node == faulty && visit.attribute == Attribute::port_info;
  };
  const auto live = discover_fake(fake, {.retries = 1});
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(live->quarantine.at(0).reason, "does not answer Get(PortInfo); the node is left out");
  EXPECT_EQ(live->fabric.end_ports().size(), 3U);
}

TEST(Quarantine, ASwitchThatAnswersPartlyIsLeftOutWholeAndNoRoutePassesIt) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  fake.lose_request = [](const sim::Visit& visit) {
    return visit.node == NodeId(2) && visit.attribute == Attribute::port_info &&
           (visit.modifier & 0xFFU) == 2;
  };
  const auto live = discover_fake(fake, {.retries = 1});
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(left_out(*live),
            std::vector<std::string>{
                "`switch 2` port 2 (0x0000000000100010, route 0,1,3): does not answer Get(PortInfo); the "
                "switch is left out whole: its tables are unknown, and packets may still come from it"});
  EXPECT_EQ(live->fabric.switch_count(), 3U);
  EXPECT_EQ(live->fabric.end_ports().size(), 4U);
  EXPECT_EQ(live->fabric.graph().link_ends(), 4U) << "both its cables are out";
  const Guid faulty = small().node(SwitchId(2)).guid;
  for (const Route& route : live->routes)
    EXPECT_FALSE(nodes_on(small(), first_host(small()), route).contains(faulty));
}

TEST(Quarantine, WhatIsCutOffAndNotInServiceIsLeftOut) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  fake.lose_request = [](const sim::Visit& visit) {
    return visit.node == NodeId(1) && visit.attribute == Attribute::switch_info;
  };
  const auto live = discover_fake(fake, {.retries = 1});
  ASSERT_TRUE(live) << live.error().message;
  const std::vector<std::string> out = left_out(*live);
  ASSERT_EQ(out.size(), 3U);
  EXPECT_EQ(
      out[1],
      "`host 2` port 1 (0x0000000000900008, route 0,1,3,2,1): answers, and every way to it is left out; "
      "the node is left out");
  EXPECT_EQ(live->fabric.switch_count(), 3U);
}

TEST(Quarantine, ASubnetManagerThatIsCutOffIsNotLeftOut) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  set(fake.port_info[small().end_ports_of(SwitchId(1))[0].port.index()], port_info::kCapIsSm, 1);
  fake.lose_request = [](const sim::Visit& visit) {
    return visit.node == NodeId(1) && visit.attribute == Attribute::switch_info;
  };
  EXPECT_NE(failure(fake, false).find("2 ports that answer are cut off"), std::string::npos);
}

TEST(Quarantine, ASwitchThatHostsInServiceNeedIsNotLeftOut) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  set(fake.port_info[small().end_ports_of(SwitchId(1))[0].port.index()], port_info::kState, 4);
  fake.lose_request = [](const sim::Visit& visit) {
    return visit.node == NodeId(1) && visit.attribute == Attribute::switch_info;
  };
  EXPECT_EQ(failure(fake, false),
            "the fabric cannot be seen whole: `switch 1` port 0 (0x0000000000100008, route 0,1,3,2) does not "
            "answer Get(SwitchInfo); without it, 2 ports that answer are cut off, such as `host 2` port 1 "
            "(0x0000000000900008, route 0,1,3,2,1) [fabric-not-whole]");
}

TEST(Quarantine, ACableThatAnswersFromOneEndOnlyIsLeftOut) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  const PortId deaf = small().port_id(SwitchId(1), PortNum(4));
  ASSERT_TRUE(small().is_switch(small().port(small().port(deaf).peer).node));
  fake.lose_request = [&](const sim::Visit& visit) {
    return visit.arrival == deaf && visit.attribute == Attribute::node_info;
  };
  const auto live = discover_fake(fake, {.retries = 1});
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(live->quarantine.size(), 1U);
  EXPECT_EQ(live->fabric.graph().link_ends(), 6U);
}

TEST(Quarantine, OurOwnNeighbourCannotBeLeftOut) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  fake.lose_request = [](const sim::Visit& visit) { return visit.node == NodeId(0); };
  EXPECT_EQ(
      failure(fake, false).find("the fabric cannot be seen whole: nothing answers behind `host 0` port 1"),
      0U);
}

TEST(Quarantine, WhatDidNotAnswerIsAskedOnceMoreAtTheEnd) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  const NodeId late = small().port(small().end_ports_of(SwitchId(1))[0].port).node;
  int lost = 0;
  fake.lose_request = [&](const sim::Visit& visit) { return visit.node == late && lost++ < 2; };
  const auto live = discover_fake(fake, {.retries = 1}, true);
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(live->fabric.fingerprint(), small().fingerprint());
}

TEST(Quarantine, WhateverIsFaultyTheRestIsSeenOrNothingIs) {
  EXPECT_TRUE(rch::test::check([](std::uint32_t seed) {
    const Fabric fabric = rch::test::build(rch::test::random_shape(seed, 12));
    if (fabric.end_ports().empty()) return;
    const PortId origin = fabric.end_ports()[seed % fabric.end_ports().size()].port;
    sim::SimulatedFabric fake(fabric, origin);
    const auto is_faulty = [&](NodeId node) {
      return node != fabric.port(origin).node && (seed ^ node.value * 2654435761U) % 6 == 0;
    };
    fake.lose_request = [&](const sim::Visit& visit) {
      return is_faulty(visit.node) && visit.attribute != Attribute::node_info;
    };
    const auto live = discover_fake(fake, {.retries = 0});
    if (!live) return;
    for (const fabric::Node& node : live->fabric.nodes()) RC_ASSERT(!is_faulty(*fabric.find_node(node.guid)));
    for (std::uint32_t p = 0; p < live->fabric.ports().size(); ++p) {
      const fabric::Port& port = live->fabric.port(PortId(p));
      const Guid guid = live->fabric.node(port.node).guid;
      const auto passed = nodes_on(fabric, origin, live->routes[p]);
      for (Guid g : passed) RC_ASSERT(!is_faulty(*fabric.find_node(g)));
      const bool reachable = live->fabric.is_switch(port.node) || !port.peer.is_none();
      RC_ASSERT(!reachable || port.node == live->fabric.port(live->local).node || passed.contains(guid));
    }
    std::size_t kept = 0;
    for (std::uint32_t n = 0; n < fabric.nodes().size(); ++n) kept += is_faulty(NodeId(n)) ? 0 : 1;
    RC_ASSERT(live->fabric.nodes().size() <= kept);
  }));
}

TEST(Discovery, OurOwnPortMustBeUp) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  set(fake.port_info[first_host(small()).index()], port_info::kState, 1);
  const std::string message = failure(fake);
  EXPECT_TRUE(message.starts_with("our port is down: `") && message.ends_with("[port-down]")) << message;
}

TEST(Discovery, ASilentFabricSaysSo) {
  sim::SimulatedFabric fake(small(), first_host(small()));
  fake.lose_request = [](const sim::Visit&) { return true; };
  EXPECT_EQ(failure(fake), "our own port does not answer Get(NodeInfo) [own-port-fault]");
}

TEST(Discovery, OfTwoPortsWithOneLidTheActiveOneKeepsIt) {
  sim::SimulatedFabric fake(small(), first_host(small()));
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
  sim::SimulatedFabric fake(small(), first_host(small()));
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
