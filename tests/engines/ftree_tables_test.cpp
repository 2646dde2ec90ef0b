// Particular trees: what they are taken for, what is refused and why (OpenSM's osm_ucast_ftree.c).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/ftree/ftree.h"
#include "fabric/fabric_builder.h"
#include "support/small_fabrics.h"
#include "tree_fabrics.h"

namespace rch::engines::ftree {
namespace {

using testing::HasSubstr;

Guid switch_guid(std::uint64_t index) { return Guid(0x100000 + 8 * index); }
Guid host_port_guid(const fabric::Fabric& fabric, std::size_t index) {
  return fabric.port(fabric.end_ports()[index].port).guid;
}

StepTables must(EngineResult result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

/// closA: four leaves with four hosts each, two spines (switches 4 and 5).
test::Shape clos_a() { return test::clos(4, 2, 4); }

/// closA with a host on each spine.
test::Shape storage_clos() {
  test::Shape shape = clos_a();
  shape.hosts[4] = shape.hosts[5] = 1;
  return shape;
}

/// The hosts on leaves of storage_clos.
std::vector<Guid> leaf_hosts(const fabric::Fabric& fabric) {
  std::vector<Guid> guids;
  for (const fabric::EndPort& end : fabric.end_ports())
    if (end.sw < SwitchId(4)) guids.push_back(fabric.port(end.port).guid);
  return guids;
}

bool joined(const fabric::Fabric& fabric, const StepTables& tables, std::size_t from, std::size_t to) {
  return tables.lfts.at(fabric.end_ports()[from].sw, fabric.end_ports()[to].lid) != kNoPath;
}

TEST(FtreeIndex, LeavesOfASubtreeFollowEachOther) {
  const test::TreeFabric made = test::pgft(test::k_ary(8), {.shuffle_ports = true, .seed = 5});
  const fabric::SubFabric view(made.fabric);
  const auto tree = tree::Tree::build(view, {});
  ASSERT_TRUE(tree) << tree.error().message;
  ASSERT_EQ(tree->leaves().size(), 32U);
  for (std::uint16_t i = 0; i < 32; ++i) {
    const tree::Tuple& tuple = tree->tuple(tree->leaves()[i]);
    EXPECT_THAT((std::vector<int>{tuple[0], tuple[1], tuple[2]}), testing::ElementsAre(2, i / 4, i % 4));
    EXPECT_EQ(tree->leaves()[i].value / 4, tree->leaves()[i / 4 * 4].value / 4) << "of one pod";
  }
}

TEST(FtreeOrder, LeavesWithFewerHostsArePadded) {
  test::Shape shape = clos_a();
  shape.hosts[1] = 2;
  const fabric::Fabric fabric = test::build(shape);
  const StepTables tables = must(route(fabric::SubFabric(fabric), {}));
  ASSERT_EQ(tables.host_order.size(), 16U);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(tables.host_order[i].is_none(), i == 6 || i == 7) << i;
}

TEST(FtreeShape, MissingCableNeedsRoots) {
  test::Shape shape = clos_a();
  shape.cables.erase(shape.cables.begin());
  const fabric::Fabric fabric = test::build(shape);
  const auto refused = route(fabric::SubFabric(fabric), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().rule, "unequal-up-neighbors");
  EXPECT_EQ(
      refused.error().message,
      "no regular tree: at rank 1, `switch 0` (0x0000000000100000) has 1 upward neighbour and `switch 1` "
      "(0x0000000000100008) has 2 upward neighbours; name the roots in `root_guid_file` to route it anyway");
  EXPECT_THAT(refused.error().guids, testing::ElementsAre(switch_guid(0), switch_guid(1)));
  const StepTables tables =
      must(route(fabric::SubFabric(fabric), {.lists = {.roots = {switch_guid(4), switch_guid(5)}}}));
  for (std::size_t from = 0; from < 16; ++from)
    for (std::size_t to = 0; to < 16; ++to) EXPECT_TRUE(joined(fabric, tables, from, to));
}

TEST(FtreeShape, SaysWhatDiffers) {
  test::Shape twice = clos_a();
  twice.cables.push_back(twice.cables.front());
  const auto refused = route(fabric::SubFabric(test::build(twice)), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().rule, "unequal-up-cables");
  EXPECT_THAT(refused.error().message, HasSubstr("has 2 cables to an upward neighbour"));

  // Four leaves, of which two hang on one spine and two on another.
  test::Shape split = test::clos(2, 1, 2);
  split.hosts = {1, 1, 1, 0, 0, 0, 0};
  split.cables = {{0, 3}, {1, 3}, {2, 4}, {3, 5}, {4, 5}, {3, 6}, {4, 6}};
  const auto refusal = route(fabric::SubFabric(test::build(split)), {});
  ASSERT_FALSE(refusal);
  EXPECT_EQ(refusal.error().rule, "unequal-down-neighbors");
}

TEST(FtreeLevels, HostsOnEverySwitchNeedRoots) {
  const auto refused = route(fabric::SubFabric(test::build(storage_clos())), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().rule, "one-level");
  EXPECT_THAT(refused.error().message, HasSubstr("name the roots in `root_guid_file`"));
}

// A host on a spine makes the switches that are farthest from all hosts no roots, so ranks mislead.
TEST(FtreeLevels, WithoutRootsTheHintNamesRootsFirst) {
  test::Shape shape = test::clos(4, 2, 2);
  shape.hosts[4] = 1;
  const auto refused = route(fabric::SubFabric(test::build(shape)), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().rule, "compute-node-level");
  EXPECT_THAT(refused.error().message,
              HasSubstr("; name the roots in `root_guid_file`, and CAs that hang above the leaves in "
                        "`io_guid_file`"));
}

TEST(FtreeLevels, ComputeNodesHangOnLeaves) {
  const fabric::Fabric fabric = test::build(storage_clos());
  const auto refused =
      route(fabric::SubFabric(fabric), {.lists = {.roots = {switch_guid(4), switch_guid(5)}}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().rule, "compute-node-level");
  EXPECT_EQ(
      refused.error().message,
      "compute node `host 16` port 1 (0x0000000000900041) hangs on `switch 4` (0x0000000000100020) at rank "
      "0, but leaves are at rank 1; list the compute nodes in `cn_guid_file`, or this port in "
      "`io_guid_file`");
}

TEST(FtreeStorage, OnSpinesIsReachedFromLeaves) {
  const fabric::Fabric fabric = test::build(storage_clos());
  const fabric::SubFabric view(fabric);
  Options options{.lists = {.roots = {switch_guid(4), switch_guid(5)}, .compute_nodes = leaf_hosts(fabric)}};
  const StepTables plain = must(route(view, options));
  EXPECT_TRUE(joined(fabric, plain, 0, 16));
  EXPECT_TRUE(joined(fabric, plain, 16, 0));
  EXPECT_FALSE(joined(fabric, plain, 16, 17));
  EXPECT_THAT(plain.remarks, testing::ElementsAre("2 of 306 pairs of end ports have no up-down path: "
                                                  "`host 16` to `host 17`…"));
  EXPECT_EQ(test::dangers(fabric, plain.lfts), "");

  options.lists.io_nodes = {host_port_guid(fabric, 16), host_port_guid(fabric, 17)};
  options.max_reverse_hops = 1;
  const StepTables reversed = must(route(view, options));
  EXPECT_TRUE(joined(fabric, reversed, 16, 17));
  EXPECT_TRUE(joined(fabric, reversed, 17, 16));
  EXPECT_TRUE(verify::verify(fabric, test::one_step(fabric, reversed.lfts)).clean());
  EXPECT_THAT(
      reversed.remarks,
      testing::ElementsAre("I/O nodes are routed with up to 1 reverse hop; such routes may bring credit "
                           "loops"));
}

/// A chain of spines and leaves, storage on the outermost spines: S4 - L0 - S5 - L1 - S6.
TEST(FtreeStorage, NeedsOneReverseHopForEachTurn) {
  test::Shape shape;
  shape.hosts = {2, 2, 0, 0, 1, 0, 1};
  shape.cables = {{0, 4}, {0, 5}, {1, 5}, {1, 6}};
  const fabric::Fabric fabric = test::build(shape);
  Options options{.lists = {.roots = {switch_guid(4), switch_guid(5), switch_guid(6)}}};
  for (const fabric::EndPort& end : fabric.end_ports())
    (end.sw < SwitchId(2) ? options.lists.compute_nodes : options.lists.io_nodes)
        .push_back(fabric.port(end.port).guid);
  for (std::uint16_t hops = 0; hops <= 3; ++hops) {
    options.max_reverse_hops = hops;
    const StepTables tables = must(route(fabric::SubFabric(fabric), options));
    EXPECT_EQ(joined(fabric, tables, 4, 5), hops >= 2) << hops;
  }
}

TEST(FtreeConnectRoots, SpinesReachEachOtherByTheLastLeaf) {
  const fabric::Fabric fabric = test::build(clos_a());
  const fabric::SubFabric view(fabric);
  const Lid other = fabric.port(fabric.port_id(SwitchId(5), PortNum(0))).lid;
  EXPECT_EQ(must(route(view, {})).lfts.at(SwitchId(4), other), kNoPath);
  const StepTables tables = must(route(view, {.connect_roots = true}));
  EXPECT_EQ(tables.lfts.at(SwitchId(4), other), 4) << "the port to switch 3";
}

/// Two trees that only cables between their roots join: OpenSM's way across, with every pair and no loop.
TEST(FtreeSiblings, JoinWhatNothingElseJoins) {
  test::Shape shape;
  shape.hosts = {2, 2, 0, 0, 2, 2, 0, 0};
  shape.cables = {{0, 2}, {1, 2}, {0, 3}, {1, 3}, {4, 6}, {5, 6}, {4, 7}, {5, 7}, {2, 6}, {3, 7}};
  const fabric::Fabric fabric = test::build(shape);
  const StepTables tables =
      must(route(fabric::SubFabric(fabric),
                 {.lists = {.roots = {switch_guid(2), switch_guid(3), switch_guid(6), switch_guid(7)}}}));
  EXPECT_TRUE(verify::verify(fabric, test::one_step(fabric, tables.lfts)).clean());
}

TEST(FtreeLmc, CompatRoutesOneLid) {
  test::Shape shape = clos_a();
  shape.lmc = 1;
  const fabric::Fabric fabric = test::build(shape);
  const auto refused = route(fabric::SubFabric(fabric), {.compat = true});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().rule, "lmc");
  // A step of a chain sees one LID of each port.
  fabric::Scope scope{.ports = IdSet<PortId>(fabric.ports().size(), true), .path_bit = 1};
  const StepTables step = must(route(fabric::SubFabric(fabric, scope), {.compat = true}));
  const Lid base = fabric.end_ports().back().lid;
  EXPECT_EQ(step.lfts.at(SwitchId(0), base), kNoPath);
  EXPECT_NE(step.lfts.at(SwitchId(0), Lid(static_cast<std::uint16_t>(base.value + 1))), kNoPath);
}

TEST(FtreeRefusals, TooSmall) {
  const auto refused = route(fabric::SubFabric(test::build({.hosts = {1, 0}, .cables = {{0, 1}}})), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().rule, "too-small");
  EXPECT_EQ(refused.error().message, "2 switches and 1 CA: a tree needs two of each");
}

struct Refusal {
  const char* rule;
  test::Shape shape;
  tree::Lists lists;
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.rule; }

test::Shape column(std::uint32_t switches) {
  test::Shape shape;
  shape.hosts.assign(switches, 0);
  shape.hosts.front() = 2;
  for (std::uint32_t s = 1; s < switches; ++s) shape.cables.push_back({s - 1, s});
  return shape;
}

const Refusal kRefusals[] = {
    {"no-roots", clos_a(), {.roots = {Guid(1), Guid(2)}}},
    {"no-compute-nodes", clos_a(), {.compute_nodes = {Guid(1)}}},
    {"tree-depth", column(9), {.roots = {switch_guid(8)}}},
    {"tree-depth", clos_a(), {.roots = {switch_guid(0), switch_guid(1), switch_guid(2), switch_guid(3)}}},
    {"no-leaves", column(3), {.roots = {switch_guid(2)}}},
};

class FtreeRefuses : public testing::TestWithParam<Refusal> {};

TEST_P(FtreeRefuses, WithItsRule) {
  const fabric::Fabric fabric = test::build(GetParam().shape);
  for (bool compat : {false, true}) {
    const auto refused = route(fabric::SubFabric(fabric), {.lists = GetParam().lists, .compat = compat});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().rule, GetParam().rule) << refused.error().message;
    EXPECT_FALSE(refused.error().message.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, FtreeRefuses, testing::ValuesIn(kRefusals));

TEST(FtreeRefusals, CasCabledToEachOther) {
  fabric::FabricBuilder builder;
  const auto add = [&](fabric::NodeType type, std::uint64_t guid, std::size_t ports) {
    fabric::NodeSpec spec;
    spec.type = type;
    spec.guid = Guid(guid);
    spec.description = fmt::format("node {}", guid);
    spec.ports.resize(ports + 1);
    return builder.add(std::move(spec));
  };
  const auto a = add(fabric::NodeType::sw, 10, 4), b = add(fabric::NodeType::sw, 20, 4);
  const auto x = add(fabric::NodeType::ca, 30, 2), y = add(fabric::NodeType::ca, 40, 2);
  ASSERT_TRUE(builder.connect(a, PortNum(1), b, PortNum(1)));
  ASSERT_TRUE(builder.connect(a, PortNum(2), x, PortNum(1)));
  ASSERT_TRUE(builder.connect(a, PortNum(3), y, PortNum(1)));
  ASSERT_TRUE(builder.connect(x, PortNum(2), y, PortNum(2)));
  const auto fabric = std::move(builder).build();
  ASSERT_TRUE(fabric);
  const auto refused = route(fabric::SubFabric(*fabric), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().rule, "cas-cabled");
  EXPECT_THAT(refused.error().message, HasSubstr("`node 30`"));
}

}  // namespace
}  // namespace rch::engines::ftree
