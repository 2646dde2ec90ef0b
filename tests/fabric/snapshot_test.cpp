#include <gtest/gtest.h>

#include "fabric/fabric_builder.h"
#include "fabric/formats.h"
#include "fabric/names.h"
#include "support.h"

namespace rch::fabric::test {
namespace {

TEST(Snapshot, KeepsEverythingOfEveryGoldenFabric) {
  for (const auto& entry : std::filesystem::directory_iterator(golden("net"))) {
    const Fabric before = golden_net(entry.path().stem());
    const auto after = read_snapshot(write_snapshot(before));
    ASSERT_TRUE(after) << after.error().message;
    EXPECT_EQ(difference(*after, before), "") << entry.path();
    EXPECT_EQ(after->fingerprint(), before.fingerprint());
  }
}

TEST(Snapshot, KeepsWhatTextFormsLose) {
  FabricBuilder builder;
  NodeSpec node;
  node.guid = Guid(7);
  node.type = NodeType::sw;
  node.enhanced_port0 = true;
  node.multicast_cap = 16384;
  node.revision = 0xa1;
  node.description = std::string("odd\0\n\"=}", 8);
  node.ports.resize(3);
  node.ports[2] = {.guid = Guid(7),
                   .lid = Lid(0),
                   .lmc = 0,
                   .state = PortState::init,
                   .width = LinkWidth::x2,
                   .speed = LinkSpeed::xdr,
                   .mtu_cap = 5,
                   .vl_cap = 3};
  builder.add(node);
  const auto before = std::move(builder).build();
  ASSERT_TRUE(before);
  const auto after = read_snapshot(write_snapshot(*before));
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(difference(*after, *before), "");
  EXPECT_EQ(after->node(NodeId(0)).description, node.description);
  EXPECT_EQ(after->node(NodeId(0)).multicast_cap, 16384);
  EXPECT_FALSE(after->origin());
}

TEST(Snapshot, AnyFlippedByteIsNoticed) {
  const std::string good = write_snapshot(golden_net("ibsim-net.1"));
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    const auto read = read_snapshot(bad);
    ASSERT_FALSE(read) << at;
    EXPECT_EQ(read.error().kind, ErrorKind::usage);
  }
}

TEST(Snapshot, KeepsGivenNamesBesideDescriptions) {
  const Fabric plain = golden_net("ibsim-net.1");
  const Node& first = plain.node(NodeId(0));
  const Fabric before = with_names(plain, {{first.guid, "rack 1 top"}});
  EXPECT_EQ(before.node(NodeId(0)).name(), "rack 1 top");
  EXPECT_EQ(before.node(NodeId(0)).description, first.description);
  EXPECT_EQ(before.node(NodeId(1)).name(), plain.node(NodeId(1)).description);
  EXPECT_EQ(before.fingerprint(), plain.fingerprint());
  const auto after = read_snapshot(write_snapshot(before));
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(names_of(*after), names_of(before));
  EXPECT_EQ(find_named(*after, "rack 1 top").value(), NodeId(0));
  EXPECT_EQ(find_named(*after, plain.node(NodeId(1)).description).value(), NodeId(1));
}

TEST(Snapshot, AnotherVersionIsRefused) {
  std::string other = write_snapshot(golden_net("ibsim-net.1"));
  other[11] = '1';
  EXPECT_EQ(read_snapshot(other).error().message, "this is no fabric snapshot of a known version");
}

}  // namespace
}  // namespace rch::fabric::test
