// Which CAs are aggregation nodes, which of their pairs need paths, and parts that no cable joins.

#include "fabric/aggregation_nodes.h"

#include <functional>

#include <gmock/gmock.h>

#include "fabric/parts.h"
#include "support/property.h"
#include "support/small_fabrics.h"

namespace rch::fabric {
namespace {

Node adapter(std::uint32_t vendor, std::uint32_t device, std::string description) {
  Node node;
  node.type = NodeType::ca;
  node.vendor_id = vendor;
  node.device_id = device;
  node.description = std::move(description);
  return node;
}

TEST(AggregationNodes, AreToldByDescriptionAndDevice) {
  const std::string name = "Mellanox Technologies Aggregation Node";
  EXPECT_TRUE(is_aggregation_node(adapter(0x2C9, 0xCF09, name)));
  EXPECT_TRUE(is_aggregation_node(adapter(0x2C9, 0xCF09, "renamed")));
  EXPECT_TRUE(is_aggregation_node(adapter(0x2C9, 0xD2F3, name))) << "silicon of a later switch";
  EXPECT_TRUE(is_aggregation_node(adapter(0, 0, name))) << "a list that tells no devices";
  EXPECT_FALSE(is_aggregation_node(adapter(0x2C9, 0x101B, name))) << "a host whose adapter has that name";
  EXPECT_FALSE(is_aggregation_node(adapter(0x8086, 0xD2F3, name)));
  EXPECT_FALSE(is_aggregation_node(adapter(0x2C9, 0x101B, "node1 mlx5_0")));
  Node sw = adapter(0x2C9, 0xCF09, name);
  sw.type = NodeType::sw;
  EXPECT_FALSE(is_aggregation_node(sw));
}

TEST(AggregationNodes, OfTwoSpinesNeedNoPath) {
  rch::test::Shape shape = rch::test::clos(3, 2, 1);
  shape.aggregation_nodes = true;
  const AggregationNodes nodes(rch::test::build(shape));
  EXPECT_THAT(nodes.bare_switches(), testing::ElementsAre(SwitchId(3), SwitchId(4)));
  EXPECT_FALSE(nodes.needs_path(SwitchId(3), SwitchId(4)));
  EXPECT_TRUE(nodes.needs_path(SwitchId(0), SwitchId(4)));
  EXPECT_TRUE(nodes.needs_path(SwitchId(4), SwitchId(0)));
  EXPECT_TRUE(nodes.needs_path(SwitchId(3), SwitchId(3)));
}

TEST(AggregationNodes, NeedNothingWithoutHosts) {
  rch::test::Shape shape = rch::test::clos(2, 1, 0);
  shape.aggregation_nodes = true;
  EXPECT_FALSE(AggregationNodes(rch::test::build(shape)).needs_path(SwitchId(0), SwitchId(1)))
      << "without any host nothing is aggregated";
  EXPECT_TRUE(AggregationNodes(rch::test::build(rch::test::clos(2, 2, 1))).bare_switches().empty());
}

/// Every walk whose heights change by `step` each time.
bool has_straight_path(const Fabric& fabric, const std::vector<unsigned>& heights, SwitchId from, SwitchId to,
                       int step) {
  if (from == to) return true;
  return std::ranges::any_of(fabric.graph().neighbors(from), [&](const Neighbor& n) {
    return static_cast<int>(heights[n.sw.index()]) == static_cast<int>(heights[from.index()]) + step &&
           has_straight_path(fabric, heights, n.sw, to, step);
  });
}

/// A leaf without hosts is no way between two spines whose nodes would need it.
TEST(AggregationNodes, OfTwoSpinesNeedNoPathByAnEmptyLeaf) {
  rch::test::Shape shape = rch::test::clos(3, 2, 1);
  shape.hosts[2] = 0;
  shape.aggregation_nodes = true;
  const AggregationNodes nodes(rch::test::build(shape));
  EXPECT_EQ(nodes.bare_switches().size(), 3U);
  EXPECT_FALSE(nodes.needs_path(SwitchId(3), SwitchId(4)));
  EXPECT_TRUE(nodes.needs_path(SwitchId(2), SwitchId(4)));
  EXPECT_TRUE(nodes.needs_path(SwitchId(4), SwitchId(2)));
}

TEST(AggregationNodes, NeedAPathThatOnlyGoesUpOrOnlyGoesDown) {
  EXPECT_TRUE(rch::test::check([] {
    rch::test::Shape shape = rch::test::random_shape(*rc::gen::arbitrary<std::uint64_t>(), 12);
    shape.routers = 0;
    shape.aggregation_nodes = true;
    const Fabric fabric = rch::test::build(shape);
    std::vector<unsigned> heights(fabric.switch_count(), 1000);
    for (unsigned round = 0; round < fabric.switch_count(); ++round)
      for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
        if (shape.hosts[s] != 0) heights[s] = 0;
        for (const Neighbor& n : fabric.graph().neighbors(SwitchId(s)))
          heights[s] = std::min(heights[s], heights[n.sw.index()] + 1);
      }
    const AggregationNodes nodes(fabric);
    for (std::uint32_t a = 0; a < fabric.switch_count(); ++a) {
      RC_ASSERT(nodes.is_bare(SwitchId(a)) == (shape.hosts[a] == 0));
      for (std::uint32_t b = 0; b < fabric.switch_count(); ++b)
        if (heights[a] < 1000 && heights[b] < 1000)
          RC_ASSERT(nodes.needs_path(SwitchId(a), SwitchId(b)) ==
                    (shape.hosts[a] != 0 || shape.hosts[b] != 0 ||
                     has_straight_path(fabric, heights, SwitchId(a), SwitchId(b), 1) ||
                     has_straight_path(fabric, heights, SwitchId(a), SwitchId(b), -1)));
    }
  }));
}

TEST(Parts, AreWhatNoCableJoins) {
  const Fabric fabric = rch::test::build({.hosts = {1, 1, 1, 0, 0}, .cables = {{0, 2}, {3, 4}}});
  const Parts found = parts(fabric.graph());
  EXPECT_EQ(found.count, 3U);
  EXPECT_THAT(found.of, testing::ElementsAre(0, 1, 0, 2, 2));
  EXPECT_EQ(parts(SwitchGraph()).count, 0U);
}

}  // namespace
}  // namespace rch::fabric
