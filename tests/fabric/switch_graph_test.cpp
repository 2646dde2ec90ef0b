#include "fabric/switch_graph.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "fabric/generator.h"
#include "fabric/switch_order.h"
#include "support.h"
#include "support/property.h"

namespace rch::fabric::test {
namespace {

TEST(SwitchGraph, GroupsParallelCablesByLowestPort) {
  const auto edge = [](std::uint32_t from, std::uint8_t out, std::uint32_t to, std::uint8_t in) {
    return SwitchGraph::Edge{SwitchId(from), PortNum(out), SwitchId(to), PortNum(in)};
  };
  const SwitchGraph graph(4, {edge(0, 5, 2, 1), edge(0, 3, 1, 9), edge(0, 9, 1, 2), edge(0, 4, 2, 8),
                              edge(2, 1, 0, 5), edge(2, 8, 0, 4), edge(1, 2, 0, 9), edge(1, 9, 0, 3)});
  EXPECT_EQ(graph.switch_count(), 4u);
  EXPECT_EQ(graph.link_ends(), 8u);
  const auto of0 = graph.neighbors(SwitchId(0));
  ASSERT_EQ(of0.size(), 2u);
  EXPECT_EQ(of0[0].sw, SwitchId(1));  // port 3 before port 4
  EXPECT_EQ(of0[1].sw, SwitchId(2));
  const auto links = graph.links(of0[0]);
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[0].out, PortNum(3));
  EXPECT_EQ(links[0].in, PortNum(9));
  EXPECT_EQ(links[1].out, PortNum(9));
  EXPECT_EQ(graph.links(of0[1])[0].out, PortNum(4));
  EXPECT_TRUE(graph.neighbors(SwitchId(3)).empty());
}

TEST(SwitchGraph, OfNothingIsEmpty) {
  EXPECT_EQ(SwitchGraph().switch_count(), 0u);
  EXPECT_EQ(SwitchGraph(0, {}).switch_count(), 0u);
}

TEST(SwitchOrder, NeighboursFollowTheirSwitchAndComponentsEachOther) {
  const auto cable = [](std::uint32_t a, std::uint32_t b) {
    const auto port = [](std::uint32_t to) { return PortNum(static_cast<std::uint8_t>(to + 1)); };
    return std::vector<SwitchGraph::Edge>{{SwitchId(a), port(b), SwitchId(b), port(a)},
                                          {SwitchId(b), port(a), SwitchId(a), port(b)}};
  };
  std::vector<SwitchGraph::Edge> edges;
  for (const auto& [a, b] : {std::pair(0U, 4U), {0U, 2U}, {4U, 3U}, {1U, 5U}})
    for (const SwitchGraph::Edge& edge : cable(a, b)) edges.push_back(edge);
  std::vector<std::uint32_t> order;
  for (const SwitchId sw : breadth_first_order(SwitchGraph(6, edges))) order.push_back(sw.value);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{0, 2, 4, 3, 1, 5}));
  EXPECT_TRUE(breadth_first_order(SwitchGraph()).empty());
}

// Whatever the fabric: each cable is listed from both ends, and the graph says what the ports say.
TEST(SwitchGraph, EqualsThePortsItWasMadeFrom) {
  EXPECT_TRUE(rch::test::check([](std::uint64_t seed) {
    const auto switches = static_cast<std::uint32_t>(4 + seed % 12);
    const auto generated = generate({.shape = RandomRegular{switches, 3 - switches % 2, seed},
                                     .parallel = 1 + static_cast<std::uint32_t>(seed % 3)});
    RC_ASSERT(generated.has_value());
    const Fabric& f = generated->fabric;
    std::size_t ends = 0;
    for (std::uint32_t s = 0; s < f.switch_count(); ++s)
      for (const Neighbor& n : f.graph().neighbors(SwitchId(s)))
        for (const SwitchLink& link : f.graph().links(n)) {
          const Port& port = f.port(f.port_id(SwitchId(s), link.out));
          RC_ASSERT(port.peer == f.port_id(n.sw, link.in));
          ++ends;
        }
    RC_ASSERT(ends == f.graph().link_ends());
    RC_ASSERT(ends + f.end_ports().size() * 2 ==
              static_cast<std::size_t>(std::count_if(f.ports().begin(), f.ports().end(),
                                                     [](const Port& p) { return !p.peer.is_none(); })));
  }));
}

}  // namespace
}  // namespace rch::fabric::test
