// Figures of merit of small tables, worked out by hand.

#include "verify/metrics/metrics.h"

#include <gmock/gmock.h>

#include "hand_tables.h"

namespace rch::verify {
namespace {

using Bin = Histogram::Bin;
using Overlap = Metrics::Overlap;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

/// Two leaves (0, 1), two spines (2, 3), two hosts a leaf. Leaves: ports 1 and 2 hosts, 3 and 4 spines;
/// spines: ports 1 and 2 leaves.
class TwoLeaves {
 public:
  explicit TwoLeaves(std::uint8_t lmc = 0, std::uint32_t system_size = 1) : fabric_(make(lmc, system_size)) {}

  const fabric::Fabric& fabric() const { return fabric_; }
  fabric::RoutingTables& tables() { return tables_; }
  Lid lid(std::size_t host, std::uint16_t bit = 0) const {
    return Lid(static_cast<std::uint16_t>(fabric_.end_ports()[host].lid.value + bit));
  }

  /// All ways to a LID of `host` by one spine.
  void route(std::size_t host, std::uint32_t spine, std::uint16_t bit = 0) {
    const fabric::EndPort& to = fabric_.end_ports()[host];
    const std::uint32_t near = to.sw.value, far = 1 - near;
    test::set_entry(tables_, near, lid(host, bit), to.attach.value);
    test::set_entry(tables_, far, lid(host, bit), static_cast<std::uint8_t>(spine + 1));
    for (std::uint32_t s : {2U, 3U})
      test::set_entry(tables_, s, lid(host, bit), static_cast<std::uint8_t>(near + 1));
  }
  Metrics metrics() const { return measure(fabric_, tables_); }

 private:
  static fabric::Fabric make(std::uint8_t lmc, std::uint32_t system_size) {
    test::Shape shape = test::clos(2, 2, 2);
    shape.lmc = lmc;
    shape.system_size = system_size;
    return test::build(shape);
  }
  fabric::Fabric fabric_;
  fabric::RoutingTables tables_ = test::empty_tables(fabric_);
};

TEST(Metrics, EveryHostByASpineOfItsOwn) {
  TwoLeaves tree;
  for (std::uint32_t host = 0; host < 4; ++host) tree.route(host, 2 + host % 2);
  const Metrics m = tree.metrics();
  EXPECT_EQ(m.pairs, 12U);
  EXPECT_EQ(m.missing, 0U);
  EXPECT_THAT(m.hops.bins, ElementsAre(Bin{2, 4}, Bin{4, 8}));
  EXPECT_DOUBLE_EQ(m.hops.mean(), 40.0 / 12);
  EXPECT_THAT(m.destinations.bins, ElementsAre(Bin{1, 8}));
  EXPECT_EQ(m.all_to_all.most, 2U);
  EXPECT_EQ(m.all_to_all.least, 2U);
  EXPECT_EQ(m.all_to_all.used, 8U);
  EXPECT_EQ(m.all_to_all.links, 8U);
  EXPECT_EQ(m.shifts.count, 3U);
  EXPECT_DOUBLE_EQ(m.shifts.mean, 1);
  EXPECT_EQ(m.shifts.worst, 1U);
  EXPECT_DOUBLE_EQ(m.samples.bisection, 1);
  EXPECT_EQ(m.samples.count, 1000U);
  // 4 of 24 orders send nothing from leaf to leaf.
  EXPECT_THAT(m.samples.permutation, DoubleNear(20.0 / 24, 0.03));
  EXPECT_THAT(m.common_switches, IsEmpty());
}

TEST(Metrics, EveryHostByTheSameSpine) {
  TwoLeaves tree;
  for (std::uint32_t host = 0; host < 4; ++host) tree.route(host, 2);
  const Metrics m = tree.metrics();
  EXPECT_THAT(m.destinations.bins, ElementsAre(Bin{0, 2}, Bin{2, 4}));  // the idle spine does not count
  EXPECT_EQ(m.all_to_all.most, 4U);
  EXPECT_EQ(m.all_to_all.least, 4U);
  EXPECT_EQ(m.all_to_all.used, 4U);
  // By two, both hosts of a leaf go up; by one and by three, one of them.
  EXPECT_DOUBLE_EQ(m.shifts.mean, (1 + 2 + 1) / 3.0);
  EXPECT_EQ(m.shifts.worst, 2U);
  // Of 24 ways to pair four hosts 8 send two flows the same way: a half each.
  EXPECT_THAT(m.samples.bisection, DoubleNear(1 - 8 / 24.0 / 2, 0.02));
  // Of 24 orders 4 send both hosts of either leaf across, 4 none, all others one.
  EXPECT_THAT(m.samples.permutation, DoubleNear((4 * 2 + 16 * 1) / 24.0, 0.03));
}

TEST(Metrics, PathsThatDoNotArriveAreMissing) {
  TwoLeaves tree;
  for (std::uint32_t host = 0; host < 4; ++host) tree.route(host, 2 + host % 2);
  test::set_entry(tree.tables(), 2, tree.lid(0), kNoPath);  // leaf 1 to host 0
  test::set_entry(tree.tables(), 3, tree.lid(1), 2);        // leaf 1 to host 1: back and forth
  test::set_entry(tree.tables(), 1, tree.lid(2), 2);        // to the wrong host
  const Metrics m = tree.metrics();
  EXPECT_EQ(m.pairs, 12U - 2 - 2 - 3);
  EXPECT_EQ(m.missing, 7U);
  EXPECT_THAT(m.hops.bins, ElementsAre(Bin{2, 3}, Bin{4, 2}));
  EXPECT_THAT(m.destinations.bins, ElementsAre(Bin{0, 2}, Bin{1, 2}));
  EXPECT_EQ(m.all_to_all.used, 2U);
  EXPECT_LT(m.samples.bisection, 0.5);
}

TEST(Metrics, PairsThatNoCableJoinsAreNotMissing) {
  const fabric::Fabric fabric = test::build({.hosts = {1, 2, 1}, .cables = {{0, 1}}});
  fabric::RoutingTables tables = test::empty_tables(fabric);
  test::route_shortest(tables, fabric);
  test::set_entry(tables, 0, test::host_lid(fabric, 1), kNoPath);
  const Metrics m = measure(fabric, tables);
  EXPECT_EQ(m.disconnected, 6U);
  EXPECT_EQ(m.missing, 1U);
  EXPECT_EQ(m.pairs, 5U);
}

TEST(Metrics, PathBitsComparedWithTheFirst) {
  TwoLeaves tree(1);
  for (std::uint32_t host = 0; host < 4; ++host) {
    tree.route(host, 2);
    tree.route(host, host == 3 ? 2 : 3, 1);
  }
  const Metrics m = tree.metrics();
  EXPECT_EQ(m.pairs, 24U);
  EXPECT_THAT(m.common_switches, ElementsAre(Overlap{1, 1, 4}, Overlap{3, 2, 6}, Overlap{3, 3, 2}));
  EXPECT_EQ(m.common_systems, m.common_switches);
  // Both LIDs of host 3 by one spine: one destination of two flows.
  EXPECT_THAT(m.destinations.bins, ElementsAre(Bin{1, 2}, Bin{2, 6}));
}

TEST(Metrics, SwitchesOfOneSystem) {
  TwoLeaves tree(1, 2);  // the leaves are one system, the spines another
  for (std::uint32_t host = 0; host < 4; ++host) {
    tree.route(host, 2);
    tree.route(host, 3, 1);
  }
  const Metrics m = tree.metrics();
  EXPECT_THAT(m.common_switches, ElementsAre(Overlap{1, 1, 4}, Overlap{3, 2, 8}));
  EXPECT_THAT(m.common_systems, ElementsAre(Overlap{1, 1, 4}, Overlap{3, 2, 8}));
}

TEST(Metrics, DetoursCountWithTheDepthOfTheFirstPath) {
  const fabric::Fabric fabric = [] {
    test::Shape shape{.hosts = {1, 0, 1}, .cables = {{0, 2}, {0, 1}, {1, 2}}, .lmc = 1};
    return test::build(shape);
  }();
  fabric::RoutingTables tables = test::empty_tables(fabric);
  const Lid lid = test::host_lid(fabric, 2), second(static_cast<std::uint16_t>(lid.value + 1));
  test::set_entry(tables, 0, lid, 2);
  test::set_entry(tables, 0, second, 3);
  test::set_entry(tables, 1, second, 2);
  for (const Lid l : {lid, second}) test::set_entry(tables, 2, l, 1);
  const Metrics m = measure(fabric, tables);
  EXPECT_THAT(m.hops.bins, ElementsAre(Bin{3, 1}, Bin{4, 1}));
  EXPECT_THAT(m.common_switches, ElementsAre(Overlap{2, 2, 1}));
  EXPECT_EQ(m.missing, 2U);
}

TEST(Metrics, OneHostOrNone) {
  for (std::uint32_t hosts : {0U, 1U}) {
    const fabric::Fabric fabric = test::build({.hosts = {hosts, 0}, .cables = {{0, 1}}});
    const Metrics m = measure(fabric, test::empty_tables(fabric));
    EXPECT_EQ(m.pairs + m.missing, 0U);
    EXPECT_EQ(m.shifts.count, 0U);
    EXPECT_EQ(m.samples.bisection, 0);
    EXPECT_THAT(m.destinations.bins, IsEmpty());
  }
}

}  // namespace
}  // namespace rch::verify
