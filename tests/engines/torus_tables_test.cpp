// What the tables hold besides directions: parallel cables, port order, LID ranges, SL2VL maps, views of part
// of a fabric.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>

#include "fabric/fabric_builder.h"
#include "fabric/sub_fabric.h"
#include "support/property.h"
#include "torus_walk.h"

namespace rch::engines::torus_2qos {
namespace {

using test::Grid;

/// Exit ports at `from` towards the hosts on `to`, in order of the ports they hang on.
std::vector<int> exits(const Grid& grid, const StepTables& tables, const test::At& from, const test::At& to) {
  std::vector<int> ports;
  for (const fabric::EndPort& end : grid.fabric().end_ports_of(grid.sw(to)))
    ports.push_back(tables.lfts.at(grid.sw(from), end.lid));
  return ports;
}

// Here y upwards is ports 1-3, hosts are numbered switch by switch in coordinate order.
TEST(TorusTables, ParallelCablesTakeHostsInTurn) {
  auto spec = test::grid_spec("1 5 3");
  spec.cables = 3;
  spec.hosts = 4;
  const Grid grid(spec);
  const auto tables = test::route_grid(grid, grid.options());
  ASSERT_TRUE(tables);
  EXPECT_EQ(exits(grid, *tables, {0, 0, 0}, {0, 1, 0}), (std::vector{1, 2, 3, 1}));  // hosts 12..15
  EXPECT_EQ(exits(grid, *tables, {0, 0, 0}, {0, 1, 1}), (std::vector{2, 3, 1, 2}));
  EXPECT_EQ(exits(grid, *tables, {0, 0, 0}, {0, 2, 0}), (std::vector{1, 2, 3, 1}));
}

class OneHostASwitch : public testing::TestWithParam<const char*> {};

TEST_P(OneHostASwitch, ParallelCablesAreBalanced) {
  auto spec = test::grid_spec(GetParam());
  spec.cables = 2;
  const Grid grid(spec);
  const auto tables = test::route_grid(grid, grid.options());
  ASSERT_TRUE(tables);
  for (std::uint32_t s = 0; s < grid.fabric().switch_count(); ++s) {
    const SwitchId sw(s);
    std::map<SwitchId, std::map<int, int>> load;  // by neighbour, by port
    for (const fabric::EndPort& end : grid.fabric().end_ports()) {
      if (end.sw == sw) continue;
      const PortNum out(tables->lfts.at(sw, end.lid));
      ++load[test::far_switch(grid.fabric(), sw, out)][out.value];
    }
    for (const auto& [neighbor, ports] : load) {
      ASSERT_EQ(ports.size(), 2);
      EXPECT_LE(std::abs(ports.begin()->second - ports.rbegin()->second), 1);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(TorusTables, OneHostASwitch, testing::Values("6 6 1", "5 5 1", "5m 5 1", "5 5 5"));

TEST(TorusTables, LosingOneCableMovesOnlyItsNeighbours) {
  auto spec = test::grid_spec("4 4 1");
  spec.cables = 2;
  spec.hosts = 2;
  const Grid grid(spec);
  fabric::Fabric fabric = grid.fabric();
  const auto before = route(fabric::SubFabric(fabric), grid.options());
  fabric::FabricBuilder builder(fabric);
  builder.disconnect(*builder.find(grid.guid({0, 0, 0})), PortNum(1));  // one of two towards (1,0,0)
  const auto damaged = std::move(builder).build();
  ASSERT_TRUE(damaged);
  const auto after = route(fabric::SubFabric(*damaged), grid.options());
  ASSERT_TRUE(before && after);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const bool beside = SwitchId(s) == grid.sw({0, 0, 0}) || SwitchId(s) == grid.sw({1, 0, 0});
    const auto a = before->lfts.row(SwitchId(s)), b = after->lfts.row(SwitchId(s));
    EXPECT_EQ(std::equal(a.begin(), a.end(), b.begin()), !beside) << s;
  }
}

// Listed ports first, duplicates once, numbers that no switch has ignored.
TEST(TorusTables, PortOrderDecidesWhoGoesFirst) {
  auto spec = test::grid_spec("3 1 1");
  spec.cables = 2;
  spec.hosts = 4;  // on ports 5-8
  const Grid grid(spec);
  auto options = grid.options();
  const auto plain = test::route_grid(grid, options);
  ASSERT_TRUE(plain);
  EXPECT_EQ(exits(grid, *plain, {0, 0, 0}, {1, 0, 0}), (std::vector{1, 2, 1, 2}));
  options.port_order = {6, 5, 5, 40, 8};
  const auto ordered = test::route_grid(grid, options);
  ASSERT_TRUE(ordered);
  EXPECT_EQ(exits(grid, *ordered, {0, 0, 0}, {1, 0, 0}), (std::vector{2, 1, 2, 1}));
}

// Any number of hosts on each switch, none among them, on any ports, with any LMC and port order: the hosts
// of a switch differ by at most one in how many share a cable, and all LIDs of a port share one.
TEST(TorusTables, ParallelCablesShareTheHostsOfEverySwitch) {
  EXPECT_TRUE(test::check([] {
    auto spec = test::grid_spec(*rc::gen::element<std::string>("3 3 1", "4 3 2", "5m 3 1", "1 1 5"));
    spec.cables = *rc::gen::inRange<std::uint32_t>(2, 5);
    spec.hosts = 6;
    spec.lmc = *rc::gen::element<std::uint8_t>(0, 1, 2);
    spec.shuffle = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    const Grid grid(spec);
    auto options = grid.options();
    options.port_order =
        *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::inRange<std::uint8_t>(0, 30));
    const auto tables = test::route_grid(grid, options);
    RC_ASSERT(tables.has_value());
    for (std::uint32_t from = 0; from < grid.fabric().switch_count(); ++from)
      for (std::uint32_t to = 0; to < grid.fabric().switch_count(); ++to) {
        if (from == to) continue;
        std::map<int, int> hosts;  // by cable
        SwitchId next = SwitchId::none();
        for (const fabric::EndPort& end : grid.fabric().end_ports_of(SwitchId(to))) {
          const std::uint8_t out = tables->lfts.at(SwitchId(from), end.lid);
          next = test::far_switch(grid.fabric(), SwitchId(from), PortNum(out));
          ++hosts[out];
          for (std::uint16_t k = 1; k < 1U << end.lmc; ++k)
            RC_ASSERT(tables->lfts.at(SwitchId(from), Lid(static_cast<std::uint16_t>(end.lid.value + k))) ==
                      out);
        }
        if (hosts.empty()) continue;
        const auto around = grid.fabric().graph().neighbors(SwitchId(from));
        const auto group = std::find_if(around.begin(), around.end(),
                                        [&](const fabric::Neighbor& n) { return n.sw == next; });
        const auto by_count = [](const auto& a, const auto& b) { return a.second < b.second; };
        const int most = std::max_element(hosts.begin(), hosts.end(), by_count)->second;
        const int least = hosts.size() < group->link_count
                              ? 0
                              : std::min_element(hosts.begin(), hosts.end(), by_count)->second;
        RC_ASSERT(most - least <= 1);
      }
  }));
}

// Cables stand in the order of their ports at the end from which they point up, at both ends.
TEST(TorusTables, CrossedParallelCablesKeepTheirOrder) {
  auto spec = test::grid_spec("2 1 1");
  spec.cables = 2;
  spec.hosts = 2;
  const Grid straight(spec);
  fabric::FabricBuilder builder(straight.fabric());
  const auto a = *builder.find(straight.guid({0, 0, 0})), b = *builder.find(straight.guid({1, 0, 0}));
  builder.disconnect(a, PortNum(1));
  builder.disconnect(a, PortNum(2));
  ASSERT_TRUE(builder.connect(a, PortNum(1), b, PortNum(2)));
  ASSERT_TRUE(builder.connect(a, PortNum(2), b, PortNum(1)));
  const auto crossed = std::move(builder).build();
  ASSERT_TRUE(crossed);
  const auto tables = route(fabric::SubFabric(*crossed), straight.options());
  ASSERT_TRUE(tables);
  EXPECT_EQ(exits(straight, *tables, {0, 0, 0}, {1, 0, 0}), (std::vector{1, 2}));
  EXPECT_EQ(exits(straight, *tables, {1, 0, 0}, {0, 0, 0}), (std::vector{2, 1}));
}

// Case 57.
TEST(TorusTables, AllLidsOfAPortTakeTheSameCable) {
  auto spec = test::grid_spec("5 3 1");
  spec.cables = 3;
  spec.lmc = 2;
  const Grid grid(spec);
  const auto tables = test::route_grid(grid, grid.options());
  ASSERT_TRUE(tables);
  for (const fabric::EndPort& end : grid.fabric().end_ports())
    for (std::uint32_t s = 0; s < grid.fabric().switch_count(); ++s)
      for (std::uint16_t k = 1; k < 4; ++k)
        ASSERT_EQ(tables->lfts.at(SwitchId(s), Lid(static_cast<std::uint16_t>(end.lid.value + k))),
                  tables->lfts.at(SwitchId(s), end.lid));
}

// Case 55: OpenSM refuses more hosts than `portgroup_max_ports` allows.
TEST(TorusTables, PortGroupLimitIsNotEnforced) {
  auto spec = test::grid_spec("5 3 1");
  spec.hosts = 4;
  const Grid grid(spec);
  auto options = grid.options();
  options.portgroup_max_ports = 4;
  const auto tables = test::route_grid(grid, options);
  ASSERT_TRUE(tables);
  EXPECT_EQ(test::unreachable_pair(grid.fabric(), *tables), "");
}

TEST(TorusTables, EnhancedPortZeroHasItsWholeLidRange) {
  const Grid grid(test::grid_spec("3 3 1"));
  fabric::FabricBuilder builder(grid.fabric());
  auto& node = builder.node(*builder.find(grid.guid({1, 1, 0})));
  node.enhanced_port0 = true;
  node.ports[0].lid = Lid(62);
  node.ports[0].lmc = 1;
  const auto fabric = std::move(builder).build();
  ASSERT_TRUE(fabric);
  const auto tables = route(fabric::SubFabric(*fabric), grid.options());
  ASSERT_TRUE(tables);
  for (const Lid lid : {Lid(62), Lid(63)}) {
    EXPECT_EQ(tables->lfts.at(grid.sw({1, 1, 0}), lid), 0);
    EXPECT_EQ(tables->lfts.at(grid.sw({0, 1, 0}), lid), 1);
  }
}

TEST(TorusTables, UnownedLidsAndPaddingHaveNoPath) {
  auto spec = test::grid_spec("3 3 1");
  spec.lmc = 1;  // leaves holes between the LIDs of hosts and switches
  spec.shuffle = 5;
  const Grid grid(spec);
  const auto tables = test::route_grid(grid, grid.options());
  ASSERT_TRUE(tables);
  for (std::uint32_t s = 0; s < grid.fabric().switch_count(); ++s) {
    const auto row = tables->lfts.row(SwitchId(s));
    for (std::size_t lid = 0; lid < row.size(); ++lid) {
      const bool owned = lid <= grid.fabric().max_lid().index() &&
                         grid.fabric().lid_owner(Lid(static_cast<std::uint16_t>(lid))).has_value();
      ASSERT_EQ(row[lid] != kNoPath, owned) << lid;
    }
  }
}

std::string map_text(const fabric::Sl2VlMap& map) {
  std::string text;
  for (std::uint8_t vl : map) text += static_cast<char>('0' + vl);
  return text;
}

struct Sl2VlCase {
  std::uint8_t max_op_vls;
  std::map<std::string, std::string> maps;  ///< "in out" by dimension letter, h for hosts
  std::string end_port;
};

// SL2VL maps of torus-2QoS(8).
TEST(TorusTables, Sl2VlMaps) {
  const std::string y = "0011001144554455", x = "0101010145454545", z = "0000111144445555",
                    host = "0000000011111111";
  const std::vector<Sl2VlCase> cases{
      {5,
       {{"xx", x},
        {"hx", x},
        {"yx", "2323232367676767"},
        {"zx", "2323232367676767"},
        {"xy", y},
        {"hy", y},
        {"yy", y},
        {"zy", "2233223366776677"},
        {"xz", z},
        {"yz", z},
        {"zz", z},
        {"xh", host},
        {"hh", host}},
       host},
      {3,
       {{"xx", "0101010101010101"}, {"zx", "2323232323232323"}, {"zy", "2233223322332233"}, {"xh", host}},
       host},
      {2,
       {{"xx", "0101010101010101"}, {"zx", "0101010101010101"}, {"zy", "0011001100110011"}, {"xh", host}},
       host},
  };
  const Grid grid(test::grid_spec("3 3 3"));
  const std::map<char, std::uint8_t> port{{'x', 1}, {'y', 4}, {'z', 5}, {'h', 7}};
  for (const Sl2VlCase& c : cases) {
    auto options = grid.options();
    options.max_op_vls = c.max_op_vls;
    const auto tables = test::route_grid(grid, options);
    ASSERT_TRUE(tables);
    for (const auto& [ports, map] : c.maps)
      EXPECT_EQ(
          map_text(tables->sl2vl.at(SwitchId(13), PortNum(port.at(ports[0])), PortNum(port.at(ports[1])))),
          map)
          << ports << " at " << int{c.max_op_vls};
    EXPECT_EQ(map_text(tables->sl2vl.at(SwitchId(13), PortNum(0), PortNum(1))), c.maps.at("xx"));
    EXPECT_EQ(map_text(tables->sl2vl.end_port()), c.end_port);
  }
}

TEST(TorusTables, HostWithOneVlGetsIt) {
  const Grid grid(test::grid_spec("3 3 1"));
  fabric::FabricBuilder builder(grid.fabric());
  builder.node(*builder.find(Guid(0x900000))).ports[1].vl_cap = 1;
  const auto fabric = std::move(builder).build();
  ASSERT_TRUE(fabric);
  const auto tables = route(fabric::SubFabric(*fabric), grid.options());
  ASSERT_TRUE(tables);
  EXPECT_EQ(map_text(tables->sl2vl.at(SwitchId(0), PortNum(1), PortNum(5))), "0000000000000000");
  EXPECT_EQ(map_text(tables->sl2vl.at(SwitchId(1), PortNum(1), PortNum(5))), "0000000011111111");
  EXPECT_EQ(map_text(tables->sl2vl.end_port()), "0000000000000000");
  EXPECT_EQ(tables->remarks.back(), "some end port has 1 data VL: end ports do not separate the QoS levels");
}

TEST(TorusTables, UnknownVlCapIsAssumedAndSaid) {
  auto spec = test::grid_spec("3 3 1");
  spec.vl_cap = 0;
  const Grid grid(spec);
  const auto tables = test::route_grid(grid, grid.options());
  ASSERT_TRUE(tables);
  EXPECT_EQ(tables->remarks.back(), "VLCap unknown on 45 ports: 8 data VLs assumed");
}

// An island: the torus inside a bigger fabric. Its border ports are treated like host ports.
TEST(TorusTables, IslandOfABiggerFabric) {
  auto spec = test::grid_spec("4 3 1");
  spec.hosts = 2;
  const Grid grid(spec);
  fabric::FabricBuilder builder(grid.fabric());
  fabric::NodeSpec outside;
  outside.guid = Guid(0x10);  // sorts before the torus
  outside.description = "outside";
  outside.ports.resize(3);
  outside.ports[0].lid = Lid(100);
  const auto out = builder.add(outside);
  // Hosts give way to the border links, on port 6 of two switches.
  for (const std::uint64_t host : {0x900004U, 0x90000CU}) builder.remove(*builder.find(Guid(host)));
  ASSERT_TRUE(builder.connect(out, PortNum(1), *builder.find(grid.guid({0, 0, 0})), PortNum(6)));
  ASSERT_TRUE(builder.connect(out, PortNum(2), *builder.find(grid.guid({0, 1, 0})), PortNum(6)));
  const auto whole = std::move(builder).build();
  ASSERT_TRUE(whole) << whole.error().message;

  fabric::Scope scope{IdSet<PortId>(whole->ports().size(), true), {}};
  for (std::uint8_t p = 0; p <= 2; ++p) scope.ports.erase(whole->port_id(SwitchId(0), PortNum(p)));
  const fabric::SubFabric island(*whole, scope);
  ASSERT_EQ(island.switch_count(), 12);
  const auto tables = route(island, grid.options({{0, 0, 0}}));
  ASSERT_TRUE(tables) << tables.error().message;
  EXPECT_EQ(tables->lfts.switch_count(), 12);
  EXPECT_EQ(tables->sl.border, 8);
  EXPECT_EQ(tables->lfts.at(SwitchId(0), Lid(100)), kNoPath);  // not the island's to route
  EXPECT_EQ(map_text(tables->sl2vl.at(SwitchId(0), PortNum(1), PortNum(6))), "0000000011111111");
  EXPECT_EQ(map_text(tables->sl2vl.at(SwitchId(0), PortNum(6), PortNum(1))), "0101010145454545");

  // Inside, entries are those of the torus alone.
  const auto alone = test::route_grid(grid, grid.options({{0, 0, 0}}));
  ASSERT_TRUE(alone);
  const auto lids = island.routed_lids();
  for (std::uint32_t s = 0; s < 12; ++s)
    lids.for_each(
        [&](Lid lid) { ASSERT_EQ(tables->lfts.at(SwitchId(s), lid), alone->lfts.at(SwitchId(s), lid)); });
  // The whole fabric is no torus.
  const auto refused = route(fabric::SubFabric(*whole), grid.options({{0, 0, 0}}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().rule, "switch-unplaced");
}

}  // namespace
}  // namespace rch::engines::torus_2qos
