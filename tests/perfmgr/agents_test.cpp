#include "perfmgr/agents.h"

#include <gtest/gtest.h>

#include "hw/simple_routing.h"
#include "perfmgr/performance_fabric.h"

namespace rch::perfmgr {
namespace {

using test::PerformanceFabric;

std::string name_in(const PerformanceFabric& net, Guid node) {
  return net.view.fabric->node(*net.view.fabric->find_node(node)).description;
}

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

// A request that is answered into an entry that leads nowhere would be counted as one that nobody answers.
TEST(Agents, ThoseWithoutAPathThereOrBackAreLeftOut) {
  PerformanceFabric net(rch::test::clos(2, 2, 1));
  const fabric::Fabric& fabric = *net.view.fabric;
  const PortId far = fabric.end_ports()[1].port;
  const auto left_out = [&](SwitchId from, Lid to) {
    auto cut = std::make_shared<fabric::RoutingTables>(hw::test::simple_tables(fabric, false));
    cut->lfts.row(from)[to.index()] = kNoPath;
    net.view.tables = cut;
    std::size_t unreachable = 0;
    EXPECT_EQ(agents_of(net.view, true, &unreachable).size() + unreachable, 6U);
    return unreachable;
  };
  const SwitchId near_leaf = *fabric.switch_id(fabric.port(fabric.port(net.view.local).peer).node);
  const SwitchId far_leaf = *fabric.switch_id(fabric.port(fabric.port(far).peer).node);
  EXPECT_EQ(left_out(near_leaf, fabric.port(far).lid), 1U);
  EXPECT_GE(left_out(far_leaf, fabric.port(net.view.local).lid), 2U) << "the leaf and its host";
  std::size_t on_the_way = 0;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    if (SwitchId(s) != near_leaf && SwitchId(s) != far_leaf)
      on_the_way += left_out(SwitchId(s), fabric.port(far).lid);
  EXPECT_EQ(on_the_way, 1U) << "the spine by which packets to the host go";
}

TEST(Rows, OfPortsThatAreGoneStayIfTheyAreToBeKept) {
  const PerformanceFabric net(rch::test::clos(2, 2, 2)), smaller(rch::test::clos(2, 2, 1));
  const Rows first = rows_for(net.view, agents_of(net.view, true), nullptr, nullptr, {});
  const Totals& before = *first.totals;
  for (const std::size_t row : first.before) EXPECT_EQ(row, Rows::kNone);
  for (std::size_t row = 0; row < before.ports().size(); ++row)
    first.totals->set(Counter::link_downed, row, row + 1);
  for (const bool keeps : {false, true}) {
    const auto agents = agents_of(smaller.view, true);
    const Rows rows = rows_for(smaller.view, agents, &before, net.view.fabric.get(), {.gone = keeps});
    std::size_t gone = 0;
    for (std::size_t row = 0; row < rows.totals->ports().size(); ++row) {
      const Totals::Port& port = rows.totals->ports()[row];
      EXPECT_EQ(rows.before[row], before.find(port.key).value_or(Rows::kNone));
      EXPECT_EQ(rows.totals->get(Counter::link_downed, row),
                before.find(port.key).has_value() ? *before.find(port.key) + 1 : Totals::kUnknown);
      gone += port.is_gone ? 1U : 0U;
      EXPECT_EQ(port.last_node_name, port.is_gone ? name_in(net, port.key.node) : "");
    }
    EXPECT_EQ(gone, keeps ? 2U : 0U);
    EXPECT_TRUE(std::ranges::is_sorted(rows.totals->ports(), {}, &Totals::Port::key));
    for (const Agent& agent : agents)
      for (std::size_t p = 0; p < agent.ports.size(); ++p)
        EXPECT_EQ(rows_of(agent, *rows.totals)[p], rows.totals->find({agent.node, agent.ports[p]}));

    // They come back, and those that were gone before the last change keep their names.
    const Rows back =
        rows_for(net.view, agents_of(net.view, true), rows.totals.get(), smaller.view.fabric.get(), {});
    for (const Totals::Port& port : back.totals->ports()) EXPECT_FALSE(port.is_gone);
    const Rows again =
        rows_for(smaller.view, agents, rows.totals.get(), smaller.view.fabric.get(), {.gone = keeps});
    EXPECT_EQ(std::ranges::count_if(again.totals->ports(), &Totals::Port::is_gone), keeps ? 2 : 0);
    for (const Totals::Port& port : again.totals->ports())
      EXPECT_EQ(port.last_node_name, port.is_gone ? name_in(net, port.key.node) : "");
  }
}

}  // namespace
}  // namespace rch::perfmgr
