#include "fabric/fabric_builder.h"

#include <gtest/gtest.h>

#include "fabric/difference.h"
#include "support.h"

namespace rch::fabric::test {
namespace {

using Handle = FabricBuilder::Handle;

NodeSpec spec(std::uint64_t guid, NodeType type, std::size_t ports, std::string description) {
  NodeSpec node;
  node.guid = Guid(guid);
  node.type = type;
  node.ports.resize(ports + 1);
  node.description = std::move(description);
  return node;
}

/// Two switches with one cable, and a host on the first.
struct Small {
  FabricBuilder builder;
  Handle host = builder.add(spec(0x10, NodeType::ca, 2, "host"));
  Handle b = builder.add(spec(0x2, NodeType::sw, 4, "b"));
  Handle a = builder.add(spec(0x1, NodeType::sw, 4, "a"));

  Small() {
    EXPECT_TRUE(builder.connect(a, PortNum(4), b, PortNum(2)));
    EXPECT_TRUE(builder.connect(host, PortNum(2), a, PortNum(1)));
  }
  Fabric build() {
    auto fabric = std::move(builder).build();
    EXPECT_TRUE(fabric) << fabric.error().message;
    return std::move(fabric.value());
  }
};

std::string failure(Result<Fabric> result) { return result ? "built" : result.error().message; }

TEST(FabricBuilder, OrdersNodesAndFillsInWhatIsKnown) {
  Small small;
  small.builder.add(spec(0x5, NodeType::router, 1, "router"));
  const Fabric f = small.build();
  std::vector<std::string> names;
  for (const Node& node : f.nodes()) names.push_back(node.description);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "host", "router"}));
  EXPECT_EQ(f.switch_count(), 2u);
  EXPECT_EQ(f.find_port(Guid(0x12)), f.port_id(NodeId(2), PortNum(2)));  // node GUID + number
  EXPECT_EQ(f.port(f.port_id(NodeId(0), PortNum(3))).guid, Guid(0x1));   // all ports of a switch
  EXPECT_EQ(f.port(f.port_id(NodeId(0), PortNum(4))).state, PortState::active);
  EXPECT_EQ(f.port(f.port_id(NodeId(0), PortNum(2))).state, PortState::down);
  ASSERT_EQ(f.end_ports().size(), 1u);
  EXPECT_EQ(f.end_ports()[0].sw, SwitchId(0));
  EXPECT_EQ(f.end_ports()[0].attach, PortNum(1));
  EXPECT_TRUE(f.end_ports_of(SwitchId(1)).empty());
  EXPECT_EQ(f.switch_id(NodeId(1)), SwitchId(1));
  EXPECT_FALSE(f.switch_id(NodeId(2)));
  EXPECT_FALSE(f.find_node(Guid(0x12)));
  EXPECT_FALSE(f.origin());
}

TEST(FabricBuilder, RefusesPortsThatAreNotThereOrTaken) {
  Small small;
  const auto none = small.builder.connect(small.a, PortNum(5), small.b, PortNum(1));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::invalid);
  EXPECT_EQ(none.error().message, "`a` (0x0000000000000001) has no port 5, only 1-4");
  EXPECT_FALSE(small.builder.connect(small.a, PortNum(0), small.b, PortNum(1)));
  const auto taken = small.builder.connect(small.b, PortNum(1), small.a, PortNum(1));
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().message,
            "port 1 of `a` (0x0000000000000001) already leads to port 2 of `host` (0x0000000000000010)");
  // The same again, also from the other end, is fine.
  EXPECT_TRUE(small.builder.connect(small.b, PortNum(2), small.a, PortNum(4)));
  EXPECT_EQ(small.build().graph().link_ends(), 2u);
}

TEST(FabricBuilder, RefusesGuidsUsedTwiceAndZero) {
  Small twice;
  twice.builder.add(spec(0x1, NodeType::ca, 1, "again"));
  EXPECT_EQ(failure(std::move(twice.builder).build()), "node GUID 0x0000000000000001 is used twice");
  Small port;
  NodeSpec other = spec(0x20, NodeType::ca, 1, "port 1 is 0x12, as the host's port 2");
  other.ports[1].guid = Guid(0x12);
  port.builder.add(std::move(other));
  EXPECT_EQ(failure(std::move(port.builder).build()), "port GUID 0x0000000000000012 is used twice");
  Small zero;
  zero.builder.add(spec(0, NodeType::sw, 1, "zero"));
  EXPECT_EQ(failure(std::move(zero.builder).build()), "`zero` has GUID 0");
}

TEST(FabricBuilder, RefusesOverlappingLids) {
  Small small;
  small.builder.node(small.host).ports[2].lid = Lid(4);
  small.builder.node(small.host).ports[2].lmc = 2;
  small.builder.node(small.a).ports[0].lid = Lid(7);
  EXPECT_EQ(failure(std::move(small.builder).build()),
            "LID 7 belongs to port 0x0000000000000001 and to port 0x0000000000000012");
  Small high;
  high.builder.node(high.host).ports[2].lid = Lid(0xBFFF);
  high.builder.node(high.host).ports[2].lmc = 1;
  EXPECT_EQ(failure(std::move(high.builder).build()),
            "LID 49151 with LMC 1 of port 0x0000000000000012 leaves the unicast range");
}

TEST(FabricBuilder, LidsAreFoundByTheirWholeRange) {
  Small small;
  small.builder.node(small.host).ports[2].lid = Lid(4);
  small.builder.node(small.host).ports[2].lmc = 2;
  small.builder.node(small.a).ports[0].lid = Lid(1);
  const Fabric f = small.build();
  EXPECT_EQ(f.max_lid(), Lid(7));
  EXPECT_EQ(f.lid_owner(Lid(7)), f.find_port(Guid(0x12)));
  EXPECT_EQ(f.lid_owner(Lid(1)), f.port_id(NodeId(0), PortNum(0)));
  EXPECT_FALSE(f.lid_owner(Lid(2)));
  EXPECT_FALSE(f.lid_owner(Lid(8)));
}

TEST(FabricBuilder, TheNextGenerationDiffersOnlyWhereItWasChanged) {
  Small small;
  const Fabric before = small.build();
  EXPECT_EQ(difference(*FabricBuilder(before).build(), before), "");

  FabricBuilder edit(before);
  edit.disconnect(*edit.find(Guid(0x2)), PortNum(2));
  edit.disconnect(*edit.find(Guid(0x2)), PortNum(3));  // no cable is fine
  const auto after = std::move(edit).build();
  ASSERT_TRUE(after);
  EXPECT_NE(after->fingerprint(), before.fingerprint());
  EXPECT_EQ(after->graph().link_ends(), 0u);
  EXPECT_EQ(after->port(after->port_id(NodeId(0), PortNum(4))).state, PortState::down);
  EXPECT_EQ(differences(before, *after, Compared::fingerprint, 10),
            std::vector<std::string>{
                "cable `a` (0x0000000000000001) port 4 - `b` (0x0000000000000002) port 2 is gone"});

  FabricBuilder removal(before);
  removal.remove(*removal.find(Guid(0x2)));
  EXPECT_FALSE(removal.find(Guid(0x2)));
  EXPECT_EQ(std::move(removal).build()->switch_count(), 1u);
}

TEST(Differences, RatesAndLidsCountWhereBothAreKnown) {
  Small small;
  const Fabric before = small.build();
  FabricBuilder edit(before);
  const auto a = *edit.find(Guid(0x1)), b = *edit.find(Guid(0x2));
  const auto all = [&](const Fabric& after) { return differences(before, after, Compared::everything, 10); };
  const auto set_rates = [&](FabricBuilder& builder, LinkWidth width, LinkSpeed speed) {
    for (PortSpec* port : {&builder.node(a).ports[4], &builder.node(b).ports[2]})
      port->width = width, port->speed = speed;
  };
  set_rates(edit, LinkWidth::x4, LinkSpeed::qdr);
  edit.node(a).ports[0].lid = Lid(5);
  const Fabric known = *FabricBuilder(edit).build();
  EXPECT_TRUE(all(known).empty()) << "nothing was known before";

  set_rates(edit, LinkWidth::x1, LinkSpeed::sdr);
  edit.node(a).ports[0].lid = Lid(7);
  const Fabric after = *std::move(edit).build();
  EXPECT_EQ(
      differences(known, after, Compared::everything, 10),
      (std::vector<std::string>{"`a` (0x0000000000000001) port 0 has LID 7, had 5",
                                "cable `a` (0x0000000000000001) port 4 - `b` (0x0000000000000002) port 2 "
                                "runs at 1xSDR, ran at 4xQDR"}));
  EXPECT_TRUE(differences(known, after, Compared::fingerprint, 10).empty());
}

TEST(FabricBuilder, TheFingerprintNamesWiringAndNothingElse) {
  Small one, two;
  two.builder.node(two.a).description = "renamed";
  two.builder.node(two.a).ports[0].lid = Lid(9);
  EXPECT_EQ(one.build().fingerprint(), two.build().fingerprint());
  Small three;
  three.builder.disconnect(three.host, PortNum(2));
  EXPECT_TRUE(three.builder.connect(three.host, PortNum(1), three.a, PortNum(1)));
  EXPECT_NE(three.build().fingerprint(), Small().build().fingerprint());
  EXPECT_EQ(Small().build().fingerprint().size(), 32u);
}

TEST(WithLids, ReplacesAllLids) {
  Small small;
  small.builder.node(small.b).ports[0].lid = Lid(9);
  const Fabric before = small.build();
  const PortId host = *before.find_port(Guid(0x12));
  const std::vector<LidAssignment> lids{{host, Lid(2), 1}};
  const auto after = with_lids(before, lids);
  ASSERT_TRUE(after);
  EXPECT_EQ(after->max_lid(), Lid(3));
  EXPECT_EQ(after->end_ports()[0].lid, Lid(2));
  EXPECT_EQ(after->end_ports()[0].lmc, 1);
  EXPECT_FALSE(after->lid_owner(Lid(9)));
  EXPECT_EQ(after->fingerprint(), before.fingerprint());
  const std::vector<LidAssignment> clash{{host, Lid(2), 1}, {PortId(0), Lid(3), 0}};
  EXPECT_FALSE(with_lids(before, clash));
}

}  // namespace
}  // namespace rch::fabric::test
