#include "fabric/sub_fabric.h"

#include <gtest/gtest.h>

#include "fabric/fabric_builder.h"
#include "fabric/generator.h"
#include "fabric/lids.h"
#include "support.h"

namespace rch::fabric::test {
namespace {

Fabric clos(std::uint8_t lmc = 0) {
  const Fabric bare = std::move(generate({.shape = Clos{3, 2}, .hosts = 2, .parallel = 2}).value().fabric);
  const auto plan = plan_lids(bare, {.lmc = lmc});
  return std::move(with_lids(bare, plan->lids).value());
}

/// All ports of the nodes whose description contains one of the words.
Scope scope_of(const Fabric& f, std::initializer_list<std::string_view> words) {
  Scope scope{IdSet<PortId>(f.ports().size()), std::nullopt};
  for (std::uint32_t p = 0; p < f.ports().size(); ++p)
    for (std::string_view word : words)
      if (f.node(f.port(PortId(p)).node).description.find(word) != std::string::npos)
        scope.ports.insert(PortId(p));
  return scope;
}

TEST(SubFabric, TheWholeKeepsTheFabricsIndices) {
  const Fabric f = clos();
  const SubFabric view(f);
  EXPECT_TRUE(view.is_whole());
  EXPECT_EQ(view.switch_count(), 5u);
  EXPECT_EQ(view.end_ports().size(), 6u);
  EXPECT_EQ(view.graph().link_ends(), f.graph().link_ends());
  EXPECT_EQ(view.fabric_switch(SwitchId(4)), SwitchId(4));
  EXPECT_EQ(view.routed_lids().count(), 11u);
  EXPECT_TRUE(view.has_port(PortId(0)));
  for (std::uint32_t s = 0; s < 5; ++s)
    EXPECT_EQ(view.switch_lid(SwitchId(s)), f.port(f.port_id(SwitchId(s), PortNum(0))).lid);
}

TEST(SubFabric, AScopeCutsSwitchesCablesAndHosts) {
  const Fabric f = clos();
  // leaf01 with its hosts host002 and host003, leaf02 without its hosts, spine01.
  const SubFabric view(f, scope_of(f, {"leaf01", "leaf02", "spine01", "host002", "host003"}));
  EXPECT_FALSE(view.is_whole());
  ASSERT_EQ(view.switch_count(), 3u);
  EXPECT_EQ(view.node(SwitchId(0)).description, "leaf01");
  EXPECT_EQ(view.fabric_switch(SwitchId(2)), SwitchId(4));
  EXPECT_EQ(view.view_switch(SwitchId(4)), SwitchId(2));
  EXPECT_FALSE(view.view_switch(SwitchId(0)));
  EXPECT_EQ(view.graph().link_ends(), 8u);  // two leaves, two cables each, from both ends
  EXPECT_EQ(view.graph().neighbors(SwitchId(2)).size(), 2u);
  ASSERT_EQ(view.end_ports().size(), 2u);
  EXPECT_EQ(view.end_ports()[0].sw, SwitchId(0));
  EXPECT_TRUE(view.end_ports_of(SwitchId(1)).empty());
  EXPECT_EQ(view.routed_lids().count(), 5u);
}

TEST(SubFabric, OneMissingPortTakesItsCableAndHost) {
  const Fabric f = clos();
  Scope scope = scope_of(f, {"leaf", "spine", "host"});
  const EndPort& end = f.end_ports()[0];
  scope.ports.erase(f.port_id(end.sw, end.attach));       // the host's own port still belongs
  scope.ports.erase(f.port_id(SwitchId(0), PortNum(3)));  // one of two cables to the first spine
  const SubFabric view(f, scope);
  EXPECT_EQ(view.end_ports().size(), 5u);
  EXPECT_EQ(view.graph().link_ends(), f.graph().link_ends() - 2);
  EXPECT_EQ(view.graph().links(view.graph().neighbors(SwitchId(0))[0]).size(), 1u);
  EXPECT_FALSE(view.has_port(f.port_id(SwitchId(0), PortNum(3))));
}

TEST(SubFabric, PathBitsPickOneLidOfEachPort) {
  const Fabric f = clos(1);
  Scope scope = scope_of(f, {"leaf", "spine", "host"});
  scope.path_bit = 1;
  const SubFabric odd(f, scope);
  ASSERT_EQ(odd.end_ports().size(), 6u);
  EXPECT_EQ(odd.end_ports()[0].lid.value, f.end_ports()[0].lid.value + 1);
  EXPECT_EQ(odd.end_ports()[0].lmc, 0);
  EXPECT_EQ(odd.switch_lid(SwitchId(0)), kUnassignedLid);
  EXPECT_EQ(odd.routed_lids().count(), 6u);
  scope.path_bit = 0;
  const SubFabric even(f, scope);
  EXPECT_EQ(even.end_ports()[0].lid, f.end_ports()[0].lid);
  EXPECT_EQ(even.routed_lids().count(), 11u);
  EXPECT_EQ(SubFabric(f).routed_lids().count(), 17u);
  scope.path_bit = 2;  // no port has that many LIDs
  EXPECT_TRUE(SubFabric(f, scope).end_ports().empty());
}

}  // namespace
}  // namespace rch::fabric::test
