// Cables that an operator does not let take part, in discovery.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fabric/cable_policy.h"
#include "hw/discovery.h"
#include "hw/driver.h"
#include "sim/simulated_fabric.h"
#include "support/small_fabrics.h"

namespace rch::hw {
namespace {

using fabric::CableEntry;
using fabric::CablePolicy;
using fabric::Fabric;
using fabric::ListedState;

/// Two leaves with two hosts each under two spines; switches 0 and 1 are the leaves.
class CablesTest : public testing::Test {
 protected:
  std::vector<CableEntry> all_cables() const {
    std::vector<CableEntry> entries;
    for (std::uint32_t p = 0; p < fabric.ports().size(); ++p)
      if (const PortId peer = fabric.port(PortId(p)).peer; !peer.is_none() && PortId(p) < peer)
        entries.push_back(entry(PortId(p)));
    return entries;
  }
  CableEntry entry(PortId id) const {
    const fabric::Port& near = fabric.port(id);
    const fabric::Port& far = fabric.port(near.peer);
    return {fabric.node(near.node).guid, near.number, fabric.node(far.node).guid, far.number};
  }
  /// All but the cable of a port.
  std::vector<CableEntry> all_but(PortId id) const {
    std::vector<CableEntry> entries = all_cables();
    const CableEntry out = entry(std::min(id, fabric.port(id).peer));
    std::erase(entries, out);
    return entries;
  }
  Result<LiveFabric> look(std::vector<CableEntry> entries, std::set<Guid> held_back = {},
                          bool strict = false) {
    fake.lose_request = [this](const sim::Visit& visit) {
      asked.emplace(visit.node, visit.attribute);
      return false;
    };
    driver.admit(std::make_shared<const CablePolicy>(std::move(entries), std::move(held_back)));
    return driver.wait(discover(driver, {.strict = strict}));
  }
  /// A cable between a leaf and a spine.
  PortId uplink() const {
    for (const fabric::Neighbor& neighbor : fabric.graph().neighbors(SwitchId(0)))
      return fabric.port_id(SwitchId(0), fabric.graph().links(neighbor).front().out);
    return PortId::none();
  }
  PortId host(std::size_t number) const { return fabric.end_ports()[number].port; }

  Fabric fabric = rch::test::build(rch::test::clos(2, 2, 2));
  sim::SimulatedFabric fake{fabric, fabric.end_ports()[0].port};
  Driver driver{fake, {}};
  std::set<std::pair<NodeId, Attribute>> asked;
};

TEST_F(CablesTest, AFabricThatIsAsListedIsWhole) {
  const auto live = look(all_cables());
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(live->fabric.fingerprint(), fabric.fingerprint());
  EXPECT_TRUE(live->quarantine.empty());
  EXPECT_FALSE(live->own_cable);
}

TEST_F(CablesTest, AHostThatIsNotListedIsNamedAndNotLookedAt) {
  const PortId out = host(3);
  const auto live = look(all_but(out), {}, true);
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(live->fabric.nodes().size(), fabric.nodes().size() - 1);
  ASSERT_EQ(live->quarantine.size(), 1U);
  EXPECT_TRUE(live->quarantine[0].answers);
  EXPECT_NE(live->quarantine[0].reason.find("is not in the list of cables"), std::string::npos)
      << live->quarantine[0].reason;
  const NodeId node = fabric.port(out).node;
  EXPECT_TRUE(asked.contains({node, Attribute::node_info}));
  EXPECT_FALSE(asked.contains({node, Attribute::port_info}));
}

TEST_F(CablesTest, BehindAPortThatIsNotToBeDiscoveredNothingIsAsked) {
  for (const ListedState state : {ListedState::disabled, ListedState::no_discover}) {
    asked.clear();
    std::vector<CableEntry> entries = all_but(host(3));
    entries.push_back(entry(fabric.port(host(3)).peer));
    entries.back().state = state;
    const auto live = look(std::move(entries));
    ASSERT_TRUE(live) << live.error().message;
    ASSERT_EQ(live->quarantine.size(), 1U);
    EXPECT_EQ(live->quarantine[0].reason,
              "is `" + std::string(fabric::name_of(state)) + "` in the list of cables");
    EXPECT_FALSE(asked.contains({fabric.port(host(3)).node, Attribute::node_info}));
  }
}

TEST_F(CablesTest, ACableBetweenSwitchesIsNamedOnce) {
  const auto live = look(all_but(uplink()));
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(live->quarantine.size(), 1U);
  EXPECT_EQ(live->fabric.nodes().size(), fabric.nodes().size());
  for (const PortId end : {uplink(), fabric.port(uplink()).peer}) {
    const fabric::Port& port = live->fabric.port(end);
    EXPECT_TRUE(port.peer.is_none());
    EXPECT_EQ(port.state, fabric::PortState::down);
  }
}

TEST_F(CablesTest, OurOwnCableStays) {
  const auto live = look(all_but(host(0)));
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(live->fabric.fingerprint(), fabric.fingerprint());
  EXPECT_TRUE(live->quarantine.empty());
  ASSERT_TRUE(live->own_cable);
  EXPECT_EQ(live->own_cable->node, fabric.node(fabric.port(host(0)).node).guid);
}

TEST_F(CablesTest, AListOfAnotherFabricIsRefused) {
  const auto live = look({{Guid{0x900}, PortNum(1), Guid{0x901}, PortNum(1)}});
  ASSERT_FALSE(live);
  EXPECT_EQ(live.error().cause, "no-listed-cable");
}

TEST_F(CablesTest, AListThatHasOurCableFitsThoughOurSwitchIsHeldBack) {
  const Guid leaf = fabric.node(fabric.port(fabric.port(host(0)).peer).node).guid;
  const auto live = look({entry(host(0))}, {leaf});
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_TRUE(live->own_cable);
  EXPECT_EQ(live->fabric.nodes().size(), 2U);
}

TEST_F(CablesTest, AManagerPassesOverAListOfAnotherFabric) {
  const NodeId spine = fabric.port(fabric.port(uplink()).peer).node;
  const std::set<Guid> held_back{fabric.node(spine).guid, Guid{0x902}};
  driver.admit(std::make_shared<const CablePolicy>(
      std::vector<CableEntry>{{Guid{0x900}, PortNum(1), Guid{0x901}, PortNum(1)}}, held_back));
  const auto live = driver.wait(discover(driver, {.passes_unfit_list = true}));
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_TRUE(live->list_ignored);
  EXPECT_EQ(live->fabric.switch_count(), fabric.switch_count() - 1) << "the spine is held back anyway";
  EXPECT_EQ(live->absent, std::vector{Guid{0x902}});
  const auto again = driver.wait(look_again(driver, *live, {fabric.node(NodeId(0)).guid}));
  ASSERT_TRUE(again && *again);
  EXPECT_TRUE((*again)->list_ignored);
}

TEST_F(CablesTest, SwitchesAreHeldBackButOurs) {
  const NodeId spine = fabric.port(fabric.port(uplink()).peer).node;
  const NodeId leaf = fabric.port(fabric.port(host(0)).peer).node;
  driver.admit(std::make_shared<const CablePolicy>(
      std::nullopt, std::set<Guid>{fabric.node(spine).guid, fabric.node(leaf).guid}));
  const auto live = driver.wait(discover(driver));
  ASSERT_TRUE(live) << live.error().message;
  EXPECT_EQ(live->fabric.switch_count(), fabric.switch_count() - 1);
  EXPECT_FALSE(live->fabric.find_node(fabric.node(spine).guid));
  EXPECT_TRUE(live->absent.empty());
  ASSERT_TRUE(live->own_cable);
  EXPECT_EQ(live->own_cable->node, fabric.node(fabric.port(host(0)).node).guid);
  EXPECT_NE(live->own_cable->reason.find("which is held back"), std::string::npos);
  EXPECT_EQ(live->fabric.end_ports().size(), fabric.end_ports().size());
}

TEST_F(CablesTest, AnotherLookAtTheSwitchSaysTheSame) {
  const auto live = look(all_but(host(3)));
  ASSERT_TRUE(live) << live.error().message;
  const NodeId leaf = fabric.port(fabric.port(host(3)).peer).node;
  const auto again = driver.wait(look_again(driver, *live, {fabric.node(leaf).guid}));
  ASSERT_TRUE(again && *again);
  EXPECT_EQ((*again)->fabric.fingerprint(), live->fabric.fingerprint());
  ASSERT_EQ((*again)->quarantine.size(), 1U);
  EXPECT_EQ((*again)->quarantine[0].reason, live->quarantine[0].reason);
}

}  // namespace
}  // namespace rch::hw
