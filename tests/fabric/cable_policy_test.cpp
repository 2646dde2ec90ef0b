#include "fabric/cable_policy.h"

#include <gtest/gtest.h>

#include "fabric/fabric_builder.h"
#include "fabric/generator.h"

namespace rch::fabric {
namespace {

constexpr Guid kLeaf{0x10}, kSpine{0x20}, kHost{0x30}, kHostPort{0x31};

CablePolicy list(std::vector<CableEntry> entries) { return {std::move(entries), {}}; }
CablePort at(Guid node, unsigned port, Guid port_guid = {}) {
  return {node, PortNum(static_cast<std::uint8_t>(port)), port_guid};
}
CableEntry entry(Guid node, unsigned port, Guid peer, unsigned peer_port,
                 ListedState state = ListedState::active) {
  return {node, PortNum(static_cast<std::uint8_t>(port)), peer, PortNum(static_cast<std::uint8_t>(peer_port)),
          state};
}

TEST(CablePolicy, AListedCableMayBeUsedFromBothEnds) {
  const CablePolicy policy = list({entry(kLeaf, 1, kSpine, 2)});
  EXPECT_EQ(policy.objection(at(kLeaf, 1), at(kSpine, 2)), "");
  EXPECT_EQ(policy.objection(at(kSpine, 2), at(kLeaf, 1)), "");
}

TEST(CablePolicy, AnAdapterIsNamedByNodeOrPort) {
  for (const Guid guid : {kHost, kHostPort}) {
    const CablePolicy policy = list({entry(kLeaf, 3, guid, 1)});
    EXPECT_EQ(policy.objection(at(kLeaf, 3), at(kHost, 1, kHostPort)), "");
    EXPECT_EQ(policy.objection(at(kHost, 1, kHostPort), at(kLeaf, 3)), "");
    EXPECT_NE(policy.objection(at(kLeaf, 3), at(kHost, 2, kHostPort)), "");
  }
}

TEST(CablePolicy, OtherCablesMayNot) {
  const CablePolicy policy =
      list({entry(kLeaf, 1, kSpine, 2), entry(kLeaf, 4, kSpine, 4, ListedState::no_discover),
            entry(kSpine, 5, Guid{}, 0, ListedState::disabled)});
  EXPECT_EQ(policy.objection(at(kLeaf, 3), at(kHost, 1, kHostPort)),
            " leads to port 1 of 0x0000000000000030: the cable is not in the list of cables");
  EXPECT_EQ(
      policy.objection(at(kLeaf, 1), at(kHost, 1, kHostPort)),
      " leads to port 1 of 0x0000000000000030: the list of cables has port 2 of 0x0000000000000020 there");
  EXPECT_EQ(
      policy.objection(at(kHost, 1, kHostPort), at(kLeaf, 1)),
      " leads to port 1 of 0x0000000000000010: the list of cables has port 2 of 0x0000000000000020 there");
  EXPECT_EQ(policy.bar(at(kLeaf, 4)), " is `No-discover` in the list of cables");
  EXPECT_EQ(policy.bar(at(kSpine, 4)), " is `No-discover` in the list of cables");
  EXPECT_EQ(policy.objection(at(kLeaf, 5), at(kSpine, 5)),
            " leads to port 5 of 0x0000000000000020, which is `Disabled` in the list of cables");
  EXPECT_NE(policy.objection_to_unknown(at(kLeaf, 3)), "");
  EXPECT_EQ(policy.objection_to_unknown(at(kLeaf, 1)), "");
}

TEST(CablePolicy, SwitchesAreHeldBackButTheOneThatIsSpared) {
  const CablePolicy policy(std::nullopt, {kSpine});
  EXPECT_EQ(policy.objection(at(kLeaf, 1), at(kSpine, 2)),
            " leads to 0x0000000000000020, which is held back");
  EXPECT_EQ(policy.objection(at(kLeaf, 1), at(kSpine, 2), kSpine), "");
  EXPECT_EQ(policy.objection(at(kLeaf, 3), at(kHost, 1, kHostPort)), "");
}

/// A leaf with a host and a spine with another leaf.
Fabric line() {
  FabricBuilder builder;
  const auto add = [&](Guid guid, NodeType type, std::size_t ports) {
    NodeSpec spec;
    spec.guid = guid;
    spec.type = type;
    spec.ports.resize(ports + 1);
    return builder.add(std::move(spec));
  };
  const auto leaf = add(kLeaf, NodeType::sw, 3), spine = add(kSpine, NodeType::sw, 3);
  const auto other = add(Guid{0x40}, NodeType::sw, 3), host = add(kHost, NodeType::ca, 1);
  EXPECT_TRUE(builder.connect(leaf, PortNum(1), spine, PortNum(2)));
  EXPECT_TRUE(builder.connect(spine, PortNum(1), other, PortNum(1)));
  EXPECT_TRUE(builder.connect(leaf, PortNum(3), host, PortNum(1)));
  auto fabric = std::move(builder).build();
  EXPECT_TRUE(fabric);
  return std::move(*fabric);
}

TEST(CablePolicy, WhatNoCableJoinsIsLeftOut) {
  const CablePolicy policy = list({entry(kLeaf, 1, kSpine, 2), entry(kLeaf, 3, kHost, 1)});
  const auto admitted = admit(line(), policy);
  ASSERT_TRUE(admitted) << admitted.error().message;
  EXPECT_EQ(admitted->fabric.nodes().size(), 3U);
  EXPECT_FALSE(admitted->fabric.find_node(Guid{0x40}));
  ASSERT_EQ(admitted->left_out.size(), 1U);
  EXPECT_EQ(admitted->left_out[0].node, kSpine);
  EXPECT_EQ(admitted->left_out[0].reason,
            "leads to port 1 of 0x0000000000000040: the cable is not in the list of cables");
}

/// The same fabric, as seen at the host.
Fabric seen_at_host() {
  FabricBuilder builder(line());
  builder.set_origin(FabricBuilder::Handle(3), PortNum(1));
  auto fabric = std::move(builder).build();
  EXPECT_TRUE(fabric);
  return std::move(*fabric);
}

TEST(CablePolicy, TheSwitchThatTheFabricIsSeenOverStaysAndIsNamed) {
  const auto admitted = admit(seen_at_host(), CablePolicy(std::nullopt, {kLeaf}));
  ASSERT_TRUE(admitted) << admitted.error().message;
  EXPECT_EQ(admitted->fabric.nodes().size(), 4U);
  EXPECT_TRUE(admitted->left_out.empty());
  ASSERT_TRUE(admitted->own_cable);
  EXPECT_EQ(admitted->own_cable->node, kHost);
  EXPECT_EQ(admitted->own_cable->reason, "leads to 0x0000000000000010, which is held back");
}

TEST(CablePolicy, SwitchesThatNobodyHasAreNamed) {
  const auto admitted = admit(seen_at_host(), CablePolicy(std::nullopt, {kSpine, Guid{0x99}}));
  ASSERT_TRUE(admitted) << admitted.error().message;
  EXPECT_EQ(admitted->absent, std::vector{Guid{0x99}});
  ASSERT_EQ(admitted->left_out.size(), 1U);
  EXPECT_TRUE(admitted->left_out[0].excluded);
}

TEST(CablePolicy, WhatItTakesOutIsKnownBefore) {
  const auto out = taken_out(seen_at_host(), CablePolicy(std::nullopt, {kSpine}));
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(out->size(), 2U);
  EXPECT_FALSE(taken_out(seen_at_host(), list({entry(Guid{0x90}, 1, Guid{0x91}, 1)})));
}

TEST(CablePolicy, AListOfAnotherFabricIsRefused) {
  const auto admitted = admit(line(), list({entry(Guid{0x90}, 1, Guid{0x91}, 1)}));
  ASSERT_FALSE(admitted);
  EXPECT_EQ(admitted.error().message, kListFitsNothing);
}

}  // namespace
}  // namespace rch::fabric
