#include "fabric/join.h"

#include <gtest/gtest.h>

#include "fabric/generator.h"
#include "support.h"

namespace rch::fabric::test {
namespace {

Fabric torus() { return std::move(generate({.shape = Grid{{{3}, {3}}}}).value().fabric); }

Fabric clos() {
  GeneratorOptions options{.shape = Clos{2, 2}, .hosts = 2};
  options.switch_guid = Guid(0x0002c90200500000);
  options.host_guid = Guid(0x0002c90300020000);
  options.name_prefix = "clos-";
  return std::move(generate(options).value().fabric);
}

TEST(Join, LaysCablesOnFreeOrNewPorts) {
  const std::vector<JoinLink> links{
      {"sw_0_0_0", "clos-leaf00"}, {"sw_0_0_0", "clos-leaf01"}, {"0x0002c90200400008", "clos-leaf00"}};
  const auto both = join(torus(), clos(), links);
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_EQ(both->switch_count(), 13u);
  EXPECT_EQ(both->end_ports().size(), 13u);
  EXPECT_EQ(both->graph().link_ends(), 2u * (18 + 4 + 3));
  const NodeId sw = *both->find_node(Guid(0x0002c90200400000));
  EXPECT_EQ(both->node(sw).num_ports, 7);  // five were in use
  const Port& port = both->port(both->port_id(sw, PortNum(6)));
  EXPECT_EQ(port.guid, Guid(0x0002c90200400000));
  EXPECT_EQ(port.speed, LinkSpeed::qdr);
  EXPECT_EQ(both->node(both->port(port.peer).node).description, "clos-leaf00");
  EXPECT_EQ(both->port(*both->origin()).guid, Guid(0x0002c90300010001));

  // A port that is free is used before a new one is made.
  const Reading spare = read_text("Switch 3 \"x\"\n");
  const auto more = join(*spare.fabric, clos(), std::vector<JoinLink>{{"x", "clos-leaf00"}});
  ASSERT_TRUE(more);
  EXPECT_EQ(more->node(*more->find_node(Guid(0x200000))).num_ports, 3);
}

TEST(Join, RefusesClashesAndUnknownNames) {
  EXPECT_EQ(join(torus(), torus(), {}).error().message, "node GUID 0x0002c90200400000 is used twice");
  EXPECT_EQ(join(torus(), clos(), std::vector<JoinLink>{{"sw_9_9_9", "clos-leaf00"}}).error().message,
            "the fabric has no node `sw_9_9_9`");
  EXPECT_EQ(join(torus(), clos(), std::vector<JoinLink>{{"host000 HCA-1", "clos-leaf00"}}).error().message,
            "`host000 HCA-1` is no switch");
  EXPECT_TRUE(join(torus(), clos(), {}));
}

}  // namespace
}  // namespace rch::fabric::test
