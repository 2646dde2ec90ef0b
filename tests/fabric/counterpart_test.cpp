// Ports of two generations of a fabric.

#include <gtest/gtest.h>

#include "fabric/difference.h"
#include "fabric/fabric_builder.h"
#include "support/small_fabrics.h"

namespace rch::fabric {
namespace {

// A node may answer as a CA where it was a switch: what the switch had is not the CA's.
TEST(Counterpart, OfANodeThatIsOfAnotherTypeThereIsNone) {
  const Fabric before = rch::test::build(rch::test::clos(2, 1, 2));
  const SwitchId spine(2), leaf(0);
  FabricBuilder builder(before);
  builder.remove(*builder.find(before.node(spine).guid));
  NodeSpec adapter{.guid = before.node(spine).guid,
                   .system_guid = {},
                   .type = NodeType::ca,
                   .description = "a",
                   .ports = {}};
  adapter.ports.resize(before.node(spine).num_ports + std::size_t{1});
  builder.add(adapter);
  const auto after = std::move(builder).build();
  ASSERT_TRUE(after);
  EXPECT_FALSE(counterpart(*after, before, before.port(before.port_id(spine, PortNum(1)))));
  EXPECT_TRUE(counterpart(*after, before, before.port(before.port_id(leaf, PortNum(1)))));
  EXPECT_FALSE(
      counterpart(before, *after, after->port(after->port_id(*after->find_node(adapter.guid), PortNum(1)))));
}

}  // namespace
}  // namespace rch::fabric
