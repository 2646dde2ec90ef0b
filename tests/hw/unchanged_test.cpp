// Whether what a walk saw still holds once PortStateChange is cleared.

#include "hw/unchanged.h"

#include <gtest/gtest.h>

#include "hw/discovery.h"
#include "hw/driver.h"
#include "sim/simulated_fabric.h"
#include "support/small_fabrics.h"

namespace rch::hw {
namespace {

class Unchanged : public testing::Test {
 protected:
  /// All switches tell of changes that it sees.
  void look() {
    for (SmpData& info : fake.switch_info) set(info, switch_info::kPortStateChange, 1);
    live = *driver.wait(discover(driver));
  }
  /// The answer after the look.
  bool holds() {
    EXPECT_TRUE(driver.wait(clear_changes(driver, *live)).value());
    fake.gets.clear();
    const auto answer = driver.wait(is_unchanged(driver, *live));
    EXPECT_TRUE(answer) << answer.error().message;
    return *answer;
  }
  std::ptrdiff_t asked(Attribute attribute) const {
    return std::ranges::count(fake.gets, attribute, &sim::Visit::attribute);
  }
  /// Leaves 0 and 1 with hosts at ports 1 to 3, spines 2 and 3.
  PortId port(std::uint32_t sw, unsigned number) const {
    return fabric.port_id(SwitchId(sw), PortNum(static_cast<std::uint8_t>(number)));
  }
  void set_state(PortId id, unsigned state) {
    set(fake.port_info[id.index()], port_info::kState, state);
    set(fake.port_info[fabric.port(id).peer.index()], port_info::kState, state);
  }

  static constexpr std::ptrdiff_t kCables = 6 + 4;
  const fabric::Fabric fabric = rch::test::build(rch::test::clos(2, 2, 3));
  sim::SimulatedFabric fake{fabric, fabric.end_ports()[0].port};
  Driver driver{fake, {.retries = 1}};
  std::optional<LiveFabric> live;
};

TEST_F(Unchanged, EachCableIsAskedOnce) {
  look();
  EXPECT_TRUE(holds());
  EXPECT_EQ(asked(Attribute::node_info), kCables);
  EXPECT_EQ(asked(Attribute::switch_info), 4);
  EXPECT_EQ(fake.gets.size(), static_cast<std::size_t>(kCables + 4));
  for (const SwitchInfo& info : live->switch_info) EXPECT_FALSE(info.port_state_change);
}

TEST_F(Unchanged, OfLinksThatAreUpTheStateIsRead) {
  for (const unsigned number : {1U, 4U}) set_state(port(0, number), 4);
  set_state(port(1, 5), 3);
  look();
  EXPECT_TRUE(holds());
  EXPECT_EQ(asked(Attribute::node_info), kCables - 3);
  EXPECT_EQ(asked(Attribute::port_info), 1 + 2 + 2) << "of a cable to a host its switch tells";
}

TEST_F(Unchanged, ACableThatIsGoneIsNoticed) {
  for (const unsigned state : {2U, 4U})
    for (const unsigned number : {1U, 2U, 4U}) {
      set_state(port(1, number), state);
      look();
      fake.pull(port(1, number), false);
      EXPECT_FALSE(holds()) << number;
      fake.plug(port(1, number), false);
    }
}

TEST_F(Unchanged, ACableThatCameIsNoticed) {
  for (const unsigned number : {2U, 5U}) {
    fake.pull(port(1, number), false);
    look();
    fake.plug(port(1, number), false);
    EXPECT_FALSE(holds()) << number;
  }
}

TEST_F(Unchanged, ALinkThatWasDownAndIsBackIsNoticed) {
  set_state(port(1, 4), 4);
  look();
  fake.pull(port(1, 4), false);
  fake.plug(port(1, 4), false);
  EXPECT_FALSE(holds());
}

TEST_F(Unchanged, ACableThatLeadsElsewhereIsNoticed) {
  for (const Field field :
       {Field(node_info::kNodeGuid), Field(node_info::kPortGuid), Field(node_info::kLocalPort)}) {
    fake.bend = [](const sim::Visit&, SmpData&) {};
    look();
    const NodeId host = fabric.port(fabric.port(port(1, 2)).peer).node;
    fake.bend = [&, host](const sim::Visit& visit, SmpData& answer) {
      if (visit.node == host && visit.attribute == Attribute::node_info) set(answer, field, 2);
    };
    EXPECT_FALSE(holds());
  }
}

TEST_F(Unchanged, WhatDoesNotAnswerIsNoticed) {
  for (std::uint32_t node = 0; node < fabric.nodes().size(); ++node) {
    if (NodeId(node) == fabric.port(fabric.end_ports()[0].port).node) continue;
    look();
    EXPECT_TRUE(driver.wait(clear_changes(driver, *live)).value());
    fake.lose_request = [node](const sim::Visit& visit) { return visit.node == NodeId(node); };
    EXPECT_FALSE(driver.wait(is_unchanged(driver, *live)).value()) << node;
    fake.lose_request = [](const sim::Visit&) { return false; };
  }
}

TEST_F(Unchanged, AChangeAfterTheClearingIsNoticed) {
  look();
  EXPECT_TRUE(driver.wait(clear_changes(driver, *live)).value());
  set(fake.switch_info[2], switch_info::kPortStateChange, 1);
  EXPECT_FALSE(driver.wait(is_unchanged(driver, *live)).value());
}

TEST_F(Unchanged, AFabricThatIsNotSeenWholeIsWalkedAgain) {
  const NodeId host = fabric.port(fabric.end_ports()[4].port).node;
  fake.lose_request = [host](const sim::Visit& visit) { return visit.node == host; };
  look();
  EXPECT_FALSE(holds());
  EXPECT_TRUE(fake.gets.empty());
}

}  // namespace
}  // namespace rch::hw
