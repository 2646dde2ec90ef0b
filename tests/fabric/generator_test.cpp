#include "fabric/generator.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>

#include "fabric/faults.h"
#include "support.h"
#include "support/property.h"

namespace rch::fabric::test {
namespace {

Generated good(const GeneratorOptions& options) {
  auto generated = generate(options);
  EXPECT_TRUE(generated) << generated.error().message;
  return std::move(generated.value());
}

std::string failure(const GeneratorOptions& options) {
  const auto generated = generate(options);
  EXPECT_FALSE(generated && true);
  return generated ? "generated" : generated.error().message;
}

GeneratorOptions grid(std::vector<Grid::Dimension> dimensions, std::uint32_t hosts = 1,
                      std::uint32_t parallel = 1) {
  return {.shape = Grid{std::move(dimensions)}, .hosts = hosts, .parallel = parallel};
}

struct Family {
  const char* net;
  GeneratorOptions options;
};

const Family kFamilies[] = {
    {"torus2d-6x5", grid({{6}, {5}})},
    {"torus2d-5x5-par3", grid({{5}, {5}}, 2, 3)},
    {"torus3d-4x4x4", grid({{4}, {4}, {4}})},
    {"torus3d-5x5x5-h2", grid({{5}, {5}, {5}}, 2)},
    {"mesh2d-6x6", grid({{6, false}, {6, false}})},
    {"clos-6x4-par2", {.shape = Clos{6, 4}, .hosts = 4, .parallel = 2}},
    {"ftree3-k4", {.shape = FatTree{4}}},
    {"hcube4", {.shape = Hypercube{4}}},
};

TEST(Generator, EqualsTheGoldenFabrics) {
  for (const Family& family : kFamilies) {
    const Generated ours = good(family.options);
    const Fabric theirs = golden_net(family.net);
    EXPECT_EQ(ours.fabric.fingerprint(), theirs.fingerprint()) << family.net;
    EXPECT_EQ(difference(ours.fabric, theirs, {.rates = false}), "") << family.net;
  }
}

TEST(Generator, PrintsTheGoldenTorusConfigurations) {
  std::size_t compared = 0;
  for (const Family& family : kFamilies) {
    if (!std::holds_alternative<Grid>(family.options.shape)) continue;
    EXPECT_EQ(good(family.options).torus_conf, golden_text(std::string("conf/") + family.net + ".conf"))
        << family.net;
    ++compared;
  }
  EXPECT_EQ(compared, 5u);
}

TEST(Generator, EveryCableHasTheRateAskedFor) {
  GeneratorOptions options{.shape = FatTree{6}};
  options.speed = LinkSpeed::hdr;
  options.width = LinkWidth::x2;
  const Fabric f = good(options).fabric;
  EXPECT_EQ(f.switch_count(), 45u);
  EXPECT_EQ(f.end_ports().size(), 54u);
  for (const Port& port : f.ports())
    if (!port.peer.is_none()) {
      EXPECT_EQ(port.speed, LinkSpeed::hdr);
      EXPECT_EQ(port.width, LinkWidth::x2);
    }
}

TEST(Generator, MixesLoopedAndOpenDimensions) {
  const Generated g = good(grid({{4}, {3, false}, {2}}));
  EXPECT_EQ(g.fabric.switch_count(), 24u);
  // 4-rings: 24 cables; open 3-lines: 16; pairs: 12.
  EXPECT_EQ(g.fabric.graph().link_ends(), 2u * (24 + 16 + 12));
  EXPECT_EQ(g.torus_conf, R"(torus 4 3m 2
xp_link 0x0002c90200400000 0x0002c90200400030
xm_link 0x0002c90200400000 0x0002c90200400090
yp_link 0x0002c90200400000 0x0002c90200400010
zp_link 0x0002c90200400000 0x0002c90200400008
)");
}

TEST(Generator, HasOneDimensionAndSingleSwitches) {
  const Generated ring = good(grid({{6}}));
  EXPECT_EQ(ring.fabric.graph().link_ends(), 12u);
  EXPECT_EQ(ring.torus_conf, "torus 6 1 1\nxp_link 0x0002c90200400000 0x0002c90200400008\n");
  const Generated one = good(grid({{1}}, 3));
  EXPECT_EQ(one.fabric.end_ports().size(), 3u);
  EXPECT_EQ(one.torus_conf, "mesh 1 1 1\n");
}

TEST(Generator, BackupSeedsKeepTheOriginAndShareNoSwitch) {
  GeneratorOptions options = grid({{5}, {4}});
  options.torus_seeds = 3;
  EXPECT_EQ(good(options).torus_conf, R"(torus 5 4 1
xp_link 0x0002c90200400000 0x0002c90200400020
yp_link 0x0002c90200400000 0x0002c90200400008
ym_link 0x0002c90200400000 0x0002c90200400018
next_seed
xp_link 0x0002c90200400030 0x0002c90200400050
yp_link 0x0002c90200400030 0x0002c90200400038
ym_link 0x0002c90200400030 0x0002c90200400028
x_dateline -1
y_dateline -2
next_seed
xp_link 0x0002c90200400040 0x0002c90200400060
yp_link 0x0002c90200400040 0x0002c90200400048
ym_link 0x0002c90200400040 0x0002c90200400058
x_dateline -2
)");
}

TEST(Generator, SeedsAvoidWhatWasRemoved) {
  GeneratorOptions options = grid({{6}, {5}});
  const Generated g = good(options);
  const auto damaged = remove_parts(g.fabric, {.links = {"sw_0_0_0:sw_0_1_0"}, .switches = {"sw_1_1_0"}});
  ASSERT_TRUE(damaged) << damaged.error().message;
  // At (0,0) the way up y is cut, but the way down is there.
  EXPECT_EQ(*torus_conf(options, damaged->fabric),
            "torus 6 5 1\nxp_link 0x0002c90200400000 0x0002c90200400028\n"
            "ym_link 0x0002c90200400000 0x0002c90200400020\n");
}

TEST(Generator, ManyHostsRaiseTheGroupLimit) {
  EXPECT_TRUE(good(grid({{3}, {3}}, 16)).torus_conf.starts_with("torus 3 3 1\nportgroup_max_ports 17\n"));
  EXPECT_FALSE(good(grid({{3}, {3}}, 15)).torus_conf.starts_with("torus 3 3 1\nportgroup"));
}

TEST(Generator, BasesAndPrefixesKeepFabricsApart) {
  GeneratorOptions options = grid({{3}, {3}});
  options.switch_guid = Guid(0x1000);
  options.host_guid = Guid(0x9000);
  options.name_prefix = "island-";
  const Generated g = good(options);
  EXPECT_EQ(g.fabric.node(SwitchId(0)).guid, Guid(0x1000));
  EXPECT_EQ(g.fabric.node(SwitchId(0)).description, "island-sw_0_0_0");
  EXPECT_NE(g.torus_conf.find("xp_link 0x0000000000001000 0x0000000000001018"), std::string::npos);
  EXPECT_TRUE(g.fabric.find_port(Guid(0x9001)));
}

TEST(Generator, ATorusOf4096SwitchesIsComplete) {
  const Generated g = good(grid({{16}, {16}, {16}}, 4));
  EXPECT_EQ(g.fabric.switch_count(), 4096u);
  EXPECT_EQ(g.fabric.end_ports().size(), 16384u);
  EXPECT_EQ(g.fabric.graph().link_ends(), 6u * 4096);
}

/// Links by the descriptions of their ends, from both ends, sorted; switch port numbers left out.
std::vector<std::pair<std::string, std::string>> named_links(const Fabric& f) {
  std::vector<std::pair<std::string, std::string>> links;
  for (const Port& port : f.ports())
    if (!port.peer.is_none())
      links.emplace_back(f.node(port.node).description, f.node(f.port(port.peer).node).description);
  std::sort(links.begin(), links.end());
  return links;
}

std::vector<Guid> node_guids(const Fabric& f) {
  std::vector<Guid> guids;
  for (const Node& node : f.nodes()) guids.push_back(node.guid);
  return guids;
}

/// GUIDs of switches in the order of their descriptions, then what hangs on each port of theirs.
std::string order_of(const Fabric& f) {
  std::map<std::string, std::string> ports;
  for (std::uint32_t s = 0; s < f.switch_count(); ++s) {
    const Node& node = f.node(SwitchId(s));
    std::string& text = ports[node.description];
    text = fmt::format("{}:", node.guid);
    for (std::uint8_t p = 1; p <= node.num_ports; ++p) {
      const PortId peer = f.port(f.port_id(SwitchId(s), PortNum(p))).peer;
      text += peer.is_none() ? " -" : " " + f.node(f.port(peer).node).description;
    }
  }
  std::string all;
  for (const auto& [name, text] : ports) all += name + " " + text + "\n";
  return all;
}

TEST(Generator, ShufflingKeepsTheTopologyAndExchangesGuidsAndPorts) {
  for (GeneratorOptions options : {grid({{4}, {4}, {3, false}}, 2), GeneratorOptions{.shape = FatTree{6}},
                                   GeneratorOptions{.shape = Clos{6, 4}, .hosts = 3, .parallel = 2},
                                   GeneratorOptions{.shape = Hypercube{4}, .hosts = 0}}) {
    const Fabric ordered = good(options).fabric;
    options.shuffle = 7;
    const Fabric f = good(options).fabric;
    EXPECT_EQ(named_links(f), named_links(ordered));
    EXPECT_EQ(node_guids(f), node_guids(ordered));  // by type, ascending
    EXPECT_NE(order_of(f), order_of(ordered));
    EXPECT_EQ(difference(f, good(options).fabric), "");
    options.shuffle = 8;
    EXPECT_NE(order_of(good(options).fabric), order_of(f));
  }
}

TEST(Generator, ShuffledTorusConfigurationNamesTheSameSwitches) {
  GeneratorOptions options = grid({{6}, {5}});
  options.shuffle = 1;
  const Generated g = good(options);
  const auto guid = [&](std::string_view name) {
    for (const Node& node : g.fabric.nodes())
      if (node.description == name) return node.guid;
    return Guid();
  };
  const Guid origin = guid("sw_0_0_0");
  EXPECT_EQ(g.torus_conf, fmt::format("torus 6 5 1\nxp_link {} {}\nyp_link {} {}\n", origin, guid("sw_1_0_0"),
                                      origin, guid("sw_0_1_0")));
}

TEST(Generator, RefusesSizesThatMakeNoFabric) {
  EXPECT_EQ(failure(grid({})), "a grid has 1-3 dimensions, not 0");
  EXPECT_EQ(failure(grid({{3}, {0}})), "0 is no radix");
  EXPECT_EQ(failure(grid({{1}}, 0)), "a single switch without hosts has no ports");
  EXPECT_EQ(failure(grid({{300}, {300}})), "90000 switches are more than there are LIDs");
  EXPECT_EQ(failure(grid({{3}, {3}}, 251)), "a switch would need 255 ports; it can have 254");
  EXPECT_EQ(failure({.shape = FatTree{5}}), "a fat tree needs an even k, not 5");
  EXPECT_EQ(failure({.shape = Hypercube{0}}), "a hypercube has 1-15 dimensions, not 0");
  EXPECT_EQ(failure({.shape = Clos{0, 2}}), "a Clos needs leaves and spines");
  EXPECT_EQ(failure({.shape = Clos{2, 200}, .parallel = 2}),
            "a switch would need 401 ports; it can have 254");
  EXPECT_EQ(failure({.shape = RandomRegular{5, 3, 1}}), "5 switches of degree 3 leave one cable end over");
  EXPECT_EQ(failure({.shape = RandomRegular{4, 4, 1}}), "4 switches cannot have 4 neighbours each");
  EXPECT_EQ(failure({.shape = Clos{2, 2}, .parallel = 0}),
            "0 parallel cables and 1 hosts a switch are out of range");
}

std::size_t reachable(const Fabric& f) {
  std::vector<bool> seen(f.switch_count(), false);
  std::vector<SwitchId> todo{SwitchId(0)};
  seen[0] = true;
  std::size_t count = 0;
  while (!todo.empty()) {
    const SwitchId sw = todo.back();
    todo.pop_back();
    ++count;
    for (const Neighbor& n : f.graph().neighbors(sw))
      if (!seen[n.sw.index()]) {
        seen[n.sw.index()] = true;
        todo.push_back(n.sw);
      }
  }
  return count;
}

TEST(Generator, RandomGraphsAreRegularConnectedAndRepeatable) {
  EXPECT_TRUE(rch::test::check([](std::uint64_t seed) {
    const auto switches = *rc::gen::inRange<std::uint32_t>(3, 40);
    auto degree = *rc::gen::inRange<std::uint32_t>(2, switches);
    if (switches * degree % 2 != 0) --degree;
    RC_PRE(degree >= 2u);
    const GeneratorOptions options{.shape = RandomRegular{switches, degree, seed}};
    const auto a = generate(options), b = generate(options);
    RC_ASSERT(a && b);
    RC_ASSERT(a->fabric.fingerprint() == b->fabric.fingerprint());
    for (std::uint32_t s = 0; s < switches; ++s)
      RC_ASSERT(a->fabric.graph().neighbors(SwitchId(s)).size() == degree);
    RC_ASSERT(reachable(a->fabric) == switches);
  }));
}

TEST(Generator, AnotherSeedGivesAnotherGraph) {
  const auto print = [](std::uint64_t seed) {
    return good({.shape = RandomRegular{30, 4, seed}}).fabric.fingerprint();
  };
  EXPECT_NE(print(1), print(2));
  EXPECT_EQ(print(7), print(7));
}

// --- equipment

std::size_t aggregation_nodes(const Fabric& fabric) {
  return static_cast<std::size_t>(std::ranges::count(fabric.nodes(), kAggregationNode, &Node::description));
}

TEST(Equipment, IsDrawnOnEveryKind) {
  const Topology shapes[] = {Grid{{{4}, {4}}},
                             Clos{6, 4},
                             FatTree{4},
                             Hypercube{3},
                             HyperX{{3, 3}},
                             RailTree{2, 3, 2},
                             SlimFly{3},
                             Dragonfly{5, 2, 2},
                             DragonflyPlus{3, 2, 2, 1},
                             RandomRegular{12, 3, 1}};
  for (const Topology& shape : shapes)
    for (const std::optional<std::uint64_t> shuffle :
         {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(3)}) {
      const GeneratorOptions bare{.shape = shape, .hosts = 4, .shuffle = shuffle};
      GeneratorOptions options = bare;
      options.equipment = Equipment::all();
      const Fabric plain = good(bare).fabric, fabric = good(options).fabric;
      EXPECT_EQ(fabric.switch_count(), plain.switch_count());
      EXPECT_EQ(fabric.graph().link_ends(), plain.graph().link_ends());
      EXPECT_EQ(aggregation_nodes(fabric), fabric.switch_count());
      for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
        const Node& node = fabric.node(SwitchId(s));
        EXPECT_TRUE(node.enhanced_port0);
        const PortId last = fabric.port(fabric.port_id(SwitchId(s), PortNum(node.num_ports))).peer;
        ASSERT_FALSE(last.is_none());
        const Node& aggregation = fabric.node(fabric.port(last).node);
        EXPECT_EQ(aggregation.description, kAggregationNode);
        EXPECT_EQ(aggregation.device_id, kAggregationDevice);
        EXPECT_EQ(fabric.port(last).guid, aggregation.guid);
        EXPECT_TRUE(fabric.port(fabric.port_id(SwitchId(s), PortNum(node.num_ports - 1))).peer.is_none());
      }
    }
}

TEST(Equipment, ChangesTheHosts) {
  const auto hosts = [](const Fabric& fabric) { return fabric.nodes().size() - fabric.switch_count(); };
  const auto with = [](bool Equipment::*what) {
    GeneratorOptions options{.shape = Clos{16, 9}, .hosts = 8};
    options.equipment.*what = true;
    return good(options).fabric;
  };
  const Fabric fewer = with(&Equipment::missing_hosts);
  EXPECT_GT(hosts(fewer), 128u / 2);
  EXPECT_LT(hosts(fewer), 128u);
  EXPECT_EQ(hosts(with(&Equipment::spine_hosts)), 128u + 3);
  const Fabric two = with(&Equipment::two_port_hosts);
  EXPECT_EQ(hosts(two), 128u);
  EXPECT_GT(two.end_ports().size(), 128u + 32);
  for (const Node& node : two.nodes()) {
    if (node.type != NodeType::ca || node.num_ports != 2) continue;
    const auto sw = [&](std::uint32_t p) {
      return two.port(two.ports()[node.first_port.index() + p].peer).node;
    };
    EXPECT_NE(sw(1), sw(2)) << node.description;
  }
}

TEST(Equipment, CanBeTooMuchForASwitch) {
  GeneratorOptions options{.shape = Clos{1, 1}, .hosts = 253};
  options.equipment.aggregation_nodes = true;
  EXPECT_EQ(failure(options), "a switch would need 255 ports; it can have 254");
}

TEST(Equipment, LeavesTheTorusConfigurationAsItIs) {
  GeneratorOptions options = grid({{4}, {4}, {3, false}}, 2);
  const std::string bare = good(options).torus_conf;
  options.equipment = Equipment::all();
  EXPECT_EQ(good(options).torus_conf, bare);
}

}  // namespace
}  // namespace rch::fabric::test
