#include "perfmgr/agents.h"

#include <gtest/gtest.h>

#include "hw/simple_routing.h"
#include "perfmgr/performance_fabric.h"

namespace rch::perfmgr {
namespace {

using test::PerformanceFabric;

TEST(Agents, AreHostsAndSwitchesWithTheirLinkedPorts) {
  const PerformanceFabric net(rch::test::clos(2, 2, 3));
  const std::vector<Agent> agents = agents_of(net.view, true);
  ASSERT_EQ(agents.size(), 4U + 6U);
  std::size_t ports = 0;
  for (const Agent& agent : agents) {
    const auto node = net.view.fabric->find_node(agent.node);
    ASSERT_TRUE(node);
    ports += agent.ports.size();
    for (const PortNum number : agent.ports)
      EXPECT_FALSE(net.view.fabric->port(net.view.fabric->port_id(*node, number)).peer.is_none());
    EXPECT_EQ(net.view.fabric->node(net.view.fabric->port(*net.view.fabric->lid_owner(agent.lid)).node).guid,
              agent.node);
  }
  EXPECT_EQ(ports, 6U + 6U + 8U) << "both ends of each cable";
  EXPECT_EQ(agents_of(net.view, false).size(), 4U);
}

TEST(Agents, ThoseWithoutAPathAreLeftOut) {
  PerformanceFabric net(rch::test::clos(2, 2, 1));
  auto cut = std::make_shared<fabric::RoutingTables>(hw::test::simple_tables(*net.view.fabric, false));
  const Lid far = net.view.fabric->port(net.view.fabric->end_ports()[1].port).lid;
  for (std::uint32_t s = 0; s < 4; ++s) cut->lfts.row(SwitchId(s))[far.index()] = kNoPath;
  net.view.tables = cut;
  EXPECT_EQ(agents_of(net.view, true).size(), 5U);
}

TEST(Totals, OfPortsThatAreGoneStayIfTheyAreToBeKept) {
  const PerformanceFabric net(rch::test::clos(2, 2, 2)), smaller(rch::test::clos(2, 2, 1));
  const auto before = totals_for(net.view, agents_of(net.view, true), nullptr, {});
  for (std::size_t row = 0; row < before->ports().size(); ++row)
    before->set(Counter::link_downed, row, row + 1);
  for (const bool keeps : {false, true}) {
    const auto after = totals_for(smaller.view, agents_of(smaller.view, true), before.get(), {.gone = keeps});
    std::size_t gone = 0;
    for (std::size_t row = 0; row < after->ports().size(); ++row) {
      const auto old = before->find(after->ports()[row].key);
      gone += after->ports()[row].is_gone ? 1U : 0U;
      if (old) {
        EXPECT_EQ(after->get(Counter::link_downed, row), *old + 1);
      }
    }
    EXPECT_EQ(gone, keeps ? 2U : 0U);
  }
}

}  // namespace
}  // namespace rch::perfmgr
