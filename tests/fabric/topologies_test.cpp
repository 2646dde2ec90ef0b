// Facts that the literature states about generated topologies: sizes, degrees, diameters.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fabric/formats.h"
#include "fabric/galois_field.h"
#include "fabric/generator.h"
#include "fabric/lids.h"
#include "support.h"

namespace rch::fabric::test {
namespace {

Fabric made(const GeneratorOptions& options) {
  auto generated = generate(options);
  EXPECT_TRUE(generated) << generated.error().message;
  return std::move(generated->fabric);
}

/// Hops to every switch; -1 where there is no path.
std::vector<int> hops_from(const Fabric& fabric, SwitchId from) {
  std::vector<int> hops(fabric.switch_count(), -1);
  std::vector<SwitchId> queue{from};
  hops[from.index()] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head)
    for (const Neighbor& n : fabric.graph().neighbors(queue[head]))
      if (hops[n.sw.index()] < 0) {
        hops[n.sw.index()] = hops[queue[head].index()] + 1;
        queue.push_back(n.sw);
      }
  return hops;
}

bool has_hosts(const Fabric& fabric, std::uint32_t sw) { return !fabric.end_ports_of(SwitchId(sw)).empty(); }

/// Most hops between switches with hosts; fails if the fabric is in pieces.
int diameter(const Fabric& fabric) {
  int most = 0;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (!has_hosts(fabric, s)) continue;
    const std::vector<int> hops = hops_from(fabric, SwitchId(s));
    EXPECT_EQ(std::ranges::count(hops, -1), 0);
    for (std::uint32_t t = 0; t < hops.size(); ++t)
      if (has_hosts(fabric, t)) most = std::max(most, hops[t]);
  }
  return most;
}

std::set<std::size_t> degrees(const Fabric& fabric) {
  std::set<std::size_t> all;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    all.insert(fabric.graph().neighbors(SwitchId(s)).size());
  return all;
}

/// Every port of every node is linked.
bool full(const Fabric& fabric) {
  return std::ranges::all_of(
      fabric.ports(), [&](const Port& port) { return port.number.value == 0 || !port.peer.is_none(); });
}

// Besta & Hoefler 2014: 2 q^2 routers of degree (3 q - d) / 2, any two at most two hops apart.
TEST(Topologies, SlimFlyHasDiameterTwo) {
  for (const std::uint32_t q : {3U, 4U, 5U, 7U, 8U, 9U, 11U, 13U, 16U}) {
    const Fabric f = made({.shape = SlimFly{q}});
    EXPECT_EQ(f.switch_count(), 2 * q * q);
    const std::size_t degree = q % 4 == 3 ? (3 * q + 1) / 2 : q % 4 == 1 ? (3 * q - 1) / 2 : 3 * q / 2;
    EXPECT_EQ(degrees(f), std::set{degree}) << q;
    EXPECT_EQ(diameter(f), 2) << q;
    EXPECT_TRUE(full(f)) << q;
  }
}

// The Hoffman-Singleton graph, 50 switches of degree 7, is the largest there can be of diameter 2.
TEST(Topologies, SlimFlyOfFiveMeetsTheMooreBound) {
  const Fabric f = made({.shape = SlimFly{5}});
  EXPECT_EQ(f.switch_count(), 1 + 7 * 7u);
}

// Kim et al. 2008: with a = 2 h and a h + 1 groups every global link is used, and three hops reach everybody.
TEST(Topologies, DragonflyHasDiameterThree) {
  for (const std::uint32_t h : {1U, 2U, 3U}) {
    const std::uint32_t a = 2 * h, g = a * h + 1;
    const Fabric f = made({.shape = Dragonfly{g, a, h}, .hosts = h});
    EXPECT_EQ(f.switch_count(), a * g);
    EXPECT_EQ(degrees(f), std::set<std::size_t>{a - 1 + h});
    EXPECT_EQ(f.end_ports().size(), a * g * h);
    EXPECT_EQ(diameter(f), 3);
    EXPECT_TRUE(full(f));
  }
}

TEST(Topologies, SmallDragonflyHasSeveralLinksBetweenGroups) {
  const Fabric f = made({.shape = Dragonfly{3, 4, 2}, .hosts = 1});
  EXPECT_EQ(f.graph().link_ends(), 2u * (3 * 6 + 3 * 4));  // 4 links between any two of the groups
  EXPECT_LE(diameter(f), 3);
}

// Shpiner et al. 2017: up, across, down.
TEST(Topologies, DragonflyPlusTakesThreeHopsBetweenLeaves) {
  const Fabric f = made({.shape = DragonflyPlus{9, 4, 4, 2}, .hosts = 4});
  EXPECT_EQ(f.switch_count(), 9u * 8);
  EXPECT_EQ(f.end_ports().size(), 9u * 16);
  EXPECT_EQ(diameter(f), 3);
  EXPECT_TRUE(full(f));
}

// Ahn et al. 2009.
TEST(Topologies, HyperXHasAHopForEachDimension) {
  for (const std::vector<std::uint32_t>& widths :
       {std::vector<std::uint32_t>{6}, {4, 3}, {3, 4, 2}, {2, 3, 2, 3}, {4, 1, 3}}) {
    const Fabric f = made({.shape = HyperX{widths}, .hosts = 2, .parallel = 2});
    std::size_t switches = 1, degree = 0;
    for (const std::uint32_t width : widths) {
      switches *= width;
      degree += width - 1;
    }
    EXPECT_EQ(f.switch_count(), switches);
    EXPECT_EQ(degrees(f), std::set{degree});
    EXPECT_EQ(diameter(f),
              static_cast<int>(widths.size()) - static_cast<int>(std::ranges::count(widths, 1U)));
    EXPECT_TRUE(full(f));
  }
}

// Ports of one rail are a hop apart inside a unit (one leaf), and every host is on all rails.
TEST(Topologies, RailTreeJoinsEachHostToEveryRail) {
  const Fabric f = made({.shape = RailTree{3, 8, 4}, .hosts = 5});
  EXPECT_EQ(f.switch_count(), 3u * 8 + 4);
  EXPECT_EQ(f.end_ports().size(), 3u * 5 * 8);
  EXPECT_EQ(diameter(f), 2);
  EXPECT_TRUE(full(f));
  for (const Node& node : f.nodes()) {
    if (node.type != NodeType::ca) continue;
    ASSERT_EQ(node.num_ports, 8);
    for (std::uint32_t r = 0; r < 8; ++r) {
      const Port& port = f.port(PortId(node.first_port.value + r + 1));
      EXPECT_TRUE(f.node(f.port(port.peer).node).description.ends_with("_" + std::to_string(r)));
      EXPECT_EQ(f.find_port(port.guid), PortId(node.first_port.value + r + 1));
    }
  }
}

TEST(Topologies, RefusesSizesThatMakeNone) {
  const auto failure = [](Topology topology) {
    const auto generated = generate({.shape = std::move(topology)});
    return generated ? std::string("generated") : generated.error().message;
  };
  EXPECT_EQ(failure(SlimFly{6}), "a slim fly needs a power of a prime from 3 to 156, not 6");
  EXPECT_EQ(failure(SlimFly{15}), "a slim fly needs a power of a prime from 3 to 156, not 15");
  EXPECT_EQ(failure(Dragonfly{10, 4, 2}), "8 global links of a group do not reach 9 other groups");
  EXPECT_EQ(failure(Dragonfly{1, 4, 2}), "a dragonfly needs two groups with switches");
  EXPECT_EQ(failure(DragonflyPlus{2, 0, 1, 1}), "a group needs leaves and spines");
  EXPECT_EQ(failure(HyperX{{3, 0}}), "a HyperX needs dimensions of width 1 or more");
  EXPECT_EQ(failure(HyperX{{300, 300}}), "90000 switches are more than there are LIDs");
  EXPECT_EQ(failure(RailTree{2, 0, 2}), "a rail tree needs units, rails and spines");
  EXPECT_EQ(failure(RailTree{2, 4, 255}), "a switch would need 256 ports; it can have 254");
}

TEST(Topologies, AreReadAsTheyAreWritten) {
  for (const Topology& topology :
       {Topology(SlimFly{4}), Topology(Dragonfly{5, 4, 2}), Topology(HyperX{{3, 3, 2}}),
        Topology(DragonflyPlus{3, 2, 2, 1}), Topology(RailTree{2, 4, 2})})
    for (const std::optional<std::uint64_t> shuffle : {std::optional<std::uint64_t>(), {3}}) {
      const Fabric f = made({.shape = topology, .hosts = 2, .shuffle = shuffle});
      const Reading read = read_text(to_net(f));
      ASSERT_TRUE(read.fabric) << read.findings;
      EXPECT_EQ(read.findings, "");
      EXPECT_EQ(read.fabric->fingerprint(), f.fingerprint());
      EXPECT_EQ(difference(f, *read.fabric, {.capabilities = false}), "");
    }
}

TEST(GaloisField, IsAField) {
  for (const std::uint32_t q : {2U, 3U, 4U, 5U, 7U, 8U, 9U, 25U, 27U}) {
    const auto field = GaloisField::of(q);
    ASSERT_TRUE(field) << q;
    ASSERT_EQ(field->size(), q);
    for (std::uint32_t a = 0; a < q; ++a) {
      std::set<std::uint32_t> sums, products;
      for (std::uint32_t b = 0; b < q; ++b) {
        sums.insert(field->add(a, b));
        products.insert(field->multiply(a, b));
        for (std::uint32_t c = 0; c < q; ++c)
          ASSERT_EQ(field->multiply(a, field->add(b, c)),
                    field->add(field->multiply(a, b), field->multiply(a, c)));
      }
      EXPECT_EQ(sums.size(), q);
      EXPECT_EQ(products.size(), a == 0 ? 1 : q);
    }
  }
  EXPECT_FALSE(GaloisField::of(1));
  EXPECT_FALSE(GaloisField::of(12));
}

}  // namespace
}  // namespace rch::fabric::test
