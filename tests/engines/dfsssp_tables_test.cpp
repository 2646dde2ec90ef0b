// dfsssp on fabrics whose routes are known: virtual layers, SLs, SL2VL maps, load balance.

#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/dfsssp/dfsssp.h"
#include "fabric/fabric_builder.h"
#include "fabric/faults.h"
#include "fabric/generator.h"
#include "layer_judge.h"
#include "support/small_fabrics.h"
#include "table_judge.h"
#include "tree_fabrics.h"

namespace rch::engines::dfsssp {
namespace {

using fabric::Fabric;
using fabric::SubFabric;
using testing::ElementsAre;
using testing::IsEmpty;

StepTables routed(const Fabric& fabric, const Options& options = {}) {
  return *route(SubFabric(fabric), options);
}

test::Shape ring(std::uint32_t switches, std::uint32_t hosts = 1) {
  test::Shape shape{.hosts = std::vector<std::uint32_t>(switches, hosts), .cables = {}};
  for (std::uint32_t s = 0; s < switches; ++s) shape.cables.push_back({s, (s + 1) % switches});
  return shape;
}

template <class T>
T must(Result<T> result) {
  EXPECT_TRUE(result.has_value());
  return std::move(*result);
}

Fabric generated(decltype(fabric::GeneratorOptions::shape) shape, std::uint32_t hosts = 1,
                 std::uint32_t lost_cables = 0) {
  fabric::GeneratorOptions options;
  options.shape = std::move(shape);
  options.hosts = hosts;
  Fabric fabric = must(fabric::generate(options)).fabric;
  if (lost_cables > 0) fabric = must(fabric::remove_parts(fabric, {.random_links = lost_cables})).fabric;
  return test::with_ascending_lids(fabric);
}

fabric::Grid torus(std::vector<std::uint32_t> radices) {
  fabric::Grid grid;
  for (std::uint32_t radix : radices) grid.dimensions.push_back({radix, true});
  return grid;
}

struct Case {
  const char* name;
  Fabric (*made)();
  std::uint8_t max_op_vls;  ///< code
  std::size_t layers;
  bool detours = false;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class LayerCount : public testing::TestWithParam<Case> {};

TEST_P(LayerCount, IsWhatMinimalPathsTake) {
  const Fabric fabric = GetParam().made();
  const StepTables tables = routed(fabric, {.max_op_vls = GetParam().max_op_vls});
  EXPECT_EQ(test::layer_count(fabric, tables), GetParam().layers);
  EXPECT_EQ(test::layer_faults(fabric, tables), "");
  EXPECT_EQ(test::is_minimal(fabric, tables), !GetParam().detours);
  EXPECT_EQ(test::has_detours(tables), GetParam().detours);
}

INSTANTIATE_TEST_SUITE_P(
    Fabrics, LayerCount,
    testing::Values(Case{"one_switch", [] { return test::build({.hosts = {3}, .cables = {}}); }, 5, 1},
                    Case{"line",
                         [] {
                           return test::build({.hosts = {1, 1, 1}, .cables = {{0, 1}, {1, 2}}});
                         },
                         5, 1},
                    Case{"ring4", [] { return test::build(ring(4)); }, 5, 1},
                    Case{"ring5", [] { return test::build(ring(5)); }, 5, 2},
                    Case{"ring5_one_vl", [] { return test::build(ring(5)); }, 1, 1, true},
                    Case{"ring12", [] { return test::build(ring(12, 2)); }, 5, 3},
                    Case{"clos", [] { return test::build(test::clos(6, 4, 4, 2)); }, 5, 1},
                    Case{"fat_tree", [] { return generated(fabric::FatTree{8}); }, 5, 1},
                    Case{"damaged_fat_tree", [] { return generated(fabric::FatTree{8}, 1, 15); }, 5, 2},
                    Case{"hypercube", [] { return generated(fabric::Hypercube{4}); }, 5, 1},
                    Case{"hypercube_2_hosts", [] { return generated(fabric::Hypercube{5}, 2); }, 5, 1},
                    Case{"torus_6x5",
                         [] {
                           return generated(torus({6, 5}));
                         },
                         5, 3},
                    Case{"torus_6x5_two_vls",
                         [] {
                           return generated(torus({6, 5}));
                         },
                         2, 2, true},
                    Case{"torus_6x5_one_vl",
                         [] {
                           return generated(torus({6, 5}));
                         },
                         1, 1, true},
                    Case{"torus_10x10",
                         [] {
                           return generated(torus({10, 10}), 2);
                         },
                         4, 4},
                    Case{"hyperx_4x4x4",
                         [] {
                           return generated(fabric::HyperX{{4, 4, 4}}, 2);
                         },
                         4, 1},
                    Case{"torus_4x4x4",
                         [] {
                           return generated(torus({4, 4, 4}));
                         },
                         5, 1},
                    Case{"random",
                         [] {
                           return generated(fabric::RandomRegular{40, 5, 1}, 4);
                         },
                         4, 3},
                    Case{"random_two_vls",
                         [] {
                           return generated(fabric::RandomRegular{40, 5, 1}, 4);
                         },
                         2, 2, true},
                    Case{"dragonfly_8x7",
                         [] {
                           return generated(fabric::Dragonfly{8, 7, 1}, 2);
                         },
                         3, 2}),
    [](const auto& tested) { return std::string(tested.param.name); });

/// Too large for the local search. Paths to spines that lost a link are on the second layer, and no others:
/// spines as destinations would take a third.
TEST(DamagedFatTree, KeepsMinimalPathsOnTwoLayers) {
  const Fabric fabric = generated(fabric::FatTree{12}, 6, 20);
  const StepTables tables = routed(fabric);
  EXPECT_EQ(test::layer_count(fabric, tables), 2U);
  EXPECT_EQ(test::layer_faults(fabric, tables), "");
  EXPECT_TRUE(test::is_minimal(fabric, tables));
  for (const fabric::EndPort& host : fabric.end_ports())
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
      EXPECT_EQ(tables.sl.sl(SwitchId(s), host.sw), 0);

  const StepTables on_two = routed(fabric, {.max_op_vls = 2});
  EXPECT_LE(test::layer_count(fabric, on_two), 2U);
  EXPECT_EQ(test::layer_faults(fabric, on_two), "");
}

TEST(DamagedFatTree, KeepsItsRoutesWhenAnotherLinkFails) {
  const Fabric fabric = generated(fabric::FatTree{12}, 6, 20);
  const Fabric now = must(fabric::remove_parts(fabric, {.random_links = 1, .seed = 7})).fabric;
  const SubFabric before(fabric);
  const StepTables first = *route(before, {});
  const SubFabric view(now);
  const common::ChangeSet changes(before, view);
  const StepTables again =
      *route(view, {.installed = common::InstalledTables{&changes, &first.lfts, true, nullptr}});
  EXPECT_EQ(test::layer_faults(now, again), "");
  EXPECT_TRUE(test::is_minimal(now, again));
  EXPECT_LE(test::layer_count(now, again), 3U);
  std::size_t moved = 0;
  for (std::uint32_t s = 0; s < now.switch_count(); ++s)
    for (std::size_t lid = 0; lid < first.lfts.row(SwitchId(s)).size(); ++lid)
      moved += first.lfts.row(SwitchId(s))[lid] != again.lfts.row(SwitchId(s))[lid];
  EXPECT_GT(moved, 0U);
  EXPECT_LT(moved, 400U);  // of 110,160
}

std::size_t count_changes(const fabric::ForwardingTables& a, const fabric::ForwardingTables& b) {
  std::size_t changes = 0;
  for (std::uint32_t s = 0; s < a.switch_count(); ++s)
    for (std::size_t lid = 0; lid < a.row(SwitchId(s)).size(); ++lid)
      changes += a.row(SwitchId(s))[lid] != b.row(SwitchId(s))[lid] ? 1 : 0;
  return changes;
}

/// As switches hold them: nothing tells which engine made them.
StepTables routed_over(const Fabric& fabric, const fabric::ForwardingTables& installed) {
  const SubFabric view(fabric);
  const common::ChangeSet changes(view, view);
  return *route(view, {.installed = common::InstalledTables{&changes, &installed, false, nullptr}});
}

TEST(TablesOfUnknownRules, StayWhereTheyAreEven) {
  for (const Fabric& fabric : {generated(fabric::FatTree{10}, 5), generated(fabric::FatTree{10}, 5, 10),
                               generated(fabric::RandomRegular{40, 5, 1}, 4)}) {
    const StepTables first = *route(SubFabric(fabric), {});
    const StepTables again = routed_over(fabric, first.lfts);
    EXPECT_EQ(count_changes(first.lfts, again.lfts), 0U);
    EXPECT_EQ(test::layer_faults(fabric, again), "");
  }
}

/// All traffic to a host leaves a switch by its first port on a minimal path.
TEST(TablesOfUnknownRules, GoWhereTheyAreNot) {
  const Fabric fabric = generated(fabric::FatTree{10}, 5);
  const StepTables fresh = *route(SubFabric(fabric), {});
  fabric::ForwardingTables unbalanced = fresh.lfts.clone();
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const std::span<std::uint8_t> row = unbalanced.row(SwitchId(s));
    for (const fabric::EndPort& host : fabric.end_ports())
      for (const fabric::Neighbor& n : fabric.graph().neighbors(SwitchId(s)))
        if (fresh.hops->at(host.sw, n.sw) + 1 == fresh.hops->at(host.sw, SwitchId(s)))
          row[host.lid.index()] = fabric.graph().links(n).front().out.value;
  }
  EXPECT_EQ(count_changes(routed_over(fabric, unbalanced).lfts, fresh.lfts), 0U);
}

/// No link carries more than half of the flows to the hosts on a leaf. Otherwise all would use the link that
/// was least loaded before.
TEST(DamagedFatTree, NoLinkIntoALeafCarriesMoreThanHalf) {
  const Fabric fabric = generated(fabric::FatTree{12}, 6, 20);
  const StepTables tables = *route_sssp(SubFabric(fabric), {});
  std::map<std::pair<SwitchId, SwitchId>, std::size_t> paths;  // by the last two switches
  for (const fabric::EndPort& host : fabric.end_ports())
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      if (SwitchId(s) == host.sw || fabric.end_ports_of(SwitchId(s)).empty()) continue;
      const auto path = test::path(fabric, tables.lfts, SwitchId(s), host.lid);
      ASSERT_TRUE(path);
      ++paths[{path->back(), (*path)[path->size() - 2]}];
    }
  for (const auto& [cable, count] : paths)
    EXPECT_LE(count, 6U * 71U / 2) << fabric.node(NodeId(cable.first.value)).description;
}

TEST(RingOf5, DestinationsWithDownUpTurnsHaveALayer) {
  const Fabric fabric = test::build(ring(5));
  const StepTables tables = routed(fabric);
  std::vector<std::uint8_t> sl;
  for (std::uint32_t s = 0; s < 5; ++s) sl.push_back(tables.sl.sl(SwitchId(0), SwitchId(s)));
  EXPECT_THAT(sl, ElementsAre(0, 1, 0, 0, 1));
  for (std::uint32_t from = 0; from < 5; ++from)
    for (std::uint32_t to = 0; to < 5; ++to)
      EXPECT_EQ(tables.sl.sl(SwitchId(from), SwitchId(to)), sl[to]) << from << " to " << to;
  EXPECT_EQ(tables.sl2vl.at(SwitchId(0), PortNum(1), PortNum(2)),
            (fabric::Sl2VlMap{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_THAT(tables.remarks,
              ElementsAre("VLCap unknown on 10 ports: 8 data VLs assumed",
                          "2 virtual layers, layer n on SL n and VL n: 3, 2 destination switches"));
}

TEST(RingOf5, OneLayerWithoutQos) {
  const Fabric fabric = test::build(ring(5));
  const StepTables tables = routed(fabric, {.qos = false});
  EXPECT_TRUE(tables.sl2vl.empty());
  EXPECT_THAT(tables.sl.dimensions, IsEmpty());
  EXPECT_EQ(test::layer_faults(fabric, tables), "");
  EXPECT_THAT(tables.remarks,
              ElementsAre("2 LIDs reached by non-minimal paths: 1 VL is too few for minimal paths "
                          "without credit loops (`qos` is off)"));
}

TEST(RingOf5, SsspClosesACreditLoop) {
  const Fabric fabric = test::build(ring(5));
  const StepTables tables = *route_sssp(SubFabric(fabric), {});
  EXPECT_TRUE(tables.sl2vl.empty());
  EXPECT_TRUE(test::is_minimal(fabric, tables));
  EXPECT_NE(test::credit_cycle(fabric, tables.lfts), "");
}

/// The VLs of links between switches are counted; a link to a host may have fewer.
TEST(HostsWithOneVl, CarryAllLayersOnIt) {
  fabric::FabricBuilder builder(test::build(ring(5)));
  builder.node(*builder.find(Guid(0x900000))).ports[1].vl_cap = 1;
  const Fabric fabric = test::with_ascending_lids(*std::move(builder).build());
  const StepTables tables = routed(fabric);
  EXPECT_EQ(test::layer_count(fabric, tables), 2U);
  EXPECT_EQ(test::layer_faults(fabric, tables), "");
  EXPECT_EQ(tables.sl2vl.end_port(), fabric::Sl2VlMap{});
  EXPECT_EQ(tables.sl2vl.at(SwitchId(0), PortNum(2), PortNum(1)), fabric::Sl2VlMap{});
  EXPECT_EQ(tables.sl2vl.at(SwitchId(1), PortNum(2), PortNum(1))[1], 1);
}

TEST(FewestVls, OfAnyLinkBetweenSwitchesCount) {
  fabric::FabricBuilder builder(test::build(ring(5)));
  builder.node(*builder.find(Guid(0x100010))).ports[2].vl_cap = 1;
  const Fabric fabric = test::with_ascending_lids(*std::move(builder).build());
  const StepTables tables = routed(fabric);
  EXPECT_EQ(test::layer_count(fabric, tables), 1U);
  EXPECT_EQ(test::layer_faults(fabric, tables), "");
}

TEST(FatTree, ShiftsShareNoLink) {
  const test::TreeFabric made = test::pgft(test::k_ary(8));
  const auto metrics =
      verify::measure(made.fabric, test::one_step(made.fabric, routed(made.fabric).lfts), {.samples = 0});
  EXPECT_EQ(metrics.shifts.worst, 1U);
  EXPECT_THAT(metrics.destinations.bins,
              ElementsAre(verify::Histogram::Bin{1, 256}, verify::Histogram::Bin{7, 128},
                          verify::Histogram::Bin{31, 128}));
}

TEST(SeveralLids, LeaveALeafByDifferentSpines) {
  for (std::uint8_t lmc = 1; lmc <= 3; ++lmc) {
    test::Shape shape = test::clos(3, 4, 2);
    shape.lmc = lmc;
    const Fabric fabric = test::build(shape);
    const StepTables tables = routed(fabric);
    EXPECT_EQ(test::layer_faults(fabric, tables), "");
    for (const fabric::EndPort& host : fabric.end_ports()) {
      ASSERT_EQ(host.lid.value % (1U << lmc), 0U);
      for (std::uint32_t leaf = 0; leaf < 3; ++leaf) {
        std::map<std::uint8_t, unsigned> times;
        for (std::uint32_t bit = 0; bit < 1U << lmc; ++bit)
          ++times[tables.lfts.at(SwitchId(leaf), Lid(static_cast<std::uint16_t>(host.lid.value + bit)))];
        EXPECT_EQ(times.size(), SwitchId(leaf) == host.sw ? 1U : std::min(4U, 1U << lmc));
      }
    }
  }
}

/// Two switches, two cables (the example of OpenSM's manual page, "Hints for optimizing I/O traffic"). Hosts
/// 3 and 5 of the far switch serve files.
TEST(IoNodes, ShareNoLinkAsLongAsThereIsAnother) {
  const Fabric fabric = test::build({.hosts = {3, 6}, .cables = {{0, 1}, {0, 1}}});
  const auto outs = [&](const Options& options) {
    const StepTables tables = routed(fabric, options);
    std::vector<std::uint8_t> found;
    for (const fabric::EndPort& host : fabric.end_ports_of(SwitchId(1)))
      found.push_back(tables.lfts.at(SwitchId(0), host.lid));
    return found;
  };
  const auto guid = [&](std::size_t i) { return fabric.port(fabric.end_ports_of(SwitchId(1))[i].port).guid; };
  EXPECT_THAT(outs({}), ElementsAre(4, 5, 4, 5, 4, 5));
  EXPECT_THAT(outs({.io_nodes = {guid(3), guid(5)}}), ElementsAre(4, 5, 4, 4, 5, 5));
  EXPECT_THAT(outs({.compute_nodes = {guid(4)}, .io_nodes = {guid(3), guid(4), guid(5)}}),
              ElementsAre(5, 4, 5, 5, 4, 4));
}

TEST(SwitchLids, FollowThePathsToTheFirstHost) {
  const Fabric fabric = test::build(ring(6));
  const StepTables tables = routed(fabric);
  for (std::uint32_t s = 0; s < 6; ++s) {
    EXPECT_EQ(tables.lfts.at(SwitchId(s), test::switch_lid(fabric, s)), 0);
    const Lid first = fabric.end_ports_of(SwitchId(s)).front().lid;
    for (std::uint32_t from = (s + 1) % 6; from != s; from = (from + 1) % 6)
      EXPECT_EQ(tables.lfts.at(SwitchId(from), test::switch_lid(fabric, s)),
                tables.lfts.at(SwitchId(from), first));
  }
}

TEST(Components, AreRoutedIndependently) {
  test::Shape shape = ring(5);
  shape.hosts.resize(10, 1);
  for (std::uint32_t s = 0; s < 5; ++s) shape.cables.push_back({5 + s, 5 + (s + 1) % 5});
  const Fabric fabric = test::build(shape);
  for (std::uint8_t vls = 1; vls <= 3; ++vls) {
    const StepTables tables = routed(fabric, {.max_op_vls = vls});
    EXPECT_EQ(test::layer_faults(fabric, tables), "");
    EXPECT_EQ(tables.lfts.at(SwitchId(0), fabric.end_ports_of(SwitchId(7)).front().lid), kNoPath);
  }
}

/// A line of 300 switches has paths that hop counts cannot hold.
TEST(LongLines, HaveNoPathsBeyond254Hops) {
  test::Shape shape{.hosts = std::vector<std::uint32_t>(300, 1), .cables = {}};
  for (std::uint32_t s = 1; s < 300; ++s) shape.cables.push_back({s - 1, s});
  const Fabric fabric = test::build(shape);
  const StepTables tables = routed(fabric);
  const Lid last = fabric.end_ports_of(SwitchId(299)).front().lid;
  EXPECT_EQ(tables.lfts.at(SwitchId(44), last), kNoPath);
  EXPECT_NE(tables.lfts.at(SwitchId(45), last), kNoPath);
}

TEST(PathBit, RoutesItsLidsAlone) {
  test::Shape shape = ring(5);
  shape.lmc = 1;
  const Fabric fabric = test::build(shape);
  const SubFabric view(fabric, {.ports = IdSet<PortId>(fabric.ports().size(), true), .path_bit = 1});
  const StepTables tables = *route(view, {});
  const fabric::EndPort& host = fabric.end_ports_of(SwitchId(2)).front();
  EXPECT_EQ(tables.lfts.at(SwitchId(0), host.lid), kNoPath);
  EXPECT_EQ(tables.lfts.at(SwitchId(0), test::switch_lid(fabric, 2)), kNoPath);
  EXPECT_NE(tables.lfts.at(SwitchId(0), Lid(static_cast<std::uint16_t>(host.lid.value + 1))), kNoPath);
}

}  // namespace
}  // namespace rch::engines::dfsssp
