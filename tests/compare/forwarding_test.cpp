// Random fabrics of two generations with random tables, good and broken: what 64 columns at a time give is
// what walking every pair gives, and nothing depends on threads.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "by_hand.h"
#include "compare/comparison.h"
#include "support/property.h"
#include "support/small_fabrics.h"
#include "verify/metrics/metrics.h"

namespace rch::compare {
namespace {

std::map<std::uint64_t, std::uint64_t> as_map(const std::vector<std::uint64_t>& hops) {
  std::map<std::uint64_t, std::uint64_t> out;
  for (std::size_t h = 0; h < hops.size(); ++h)
    if (hops[h] != 0) out[h] = hops[h];
  return out;
}

/// Hops and balance of one side against the other code that measures them.
void expect_measured(const Side& side, const std::vector<std::uint64_t>& hops, const Balance& balance) {
  std::map<std::uint64_t, std::uint64_t> expected;
  for (const auto& bin : verify::measure(*side.fabric, *side.tables, {.samples = 1}).hops.bins)
    expected[bin.value] = bin.count;
  EXPECT_EQ(as_map(hops), expected);
  std::uint64_t fullest = 0, sum = 0;
  for (const std::uint64_t flows : verify::link_flows(*side.fabric, *side.tables)) {
    fullest = std::max(fullest, flows);
    sum += flows;
  }
  EXPECT_EQ(balance.fullest, fullest);
  EXPECT_EQ(balance.sum, sum);
}

void expect_by_hand(const Side& before, const Side& after) {
  const Comparison c = compare(before, after);
  const Forwarding& f = c.forwarding;
  const test::PairsByHand by_hand = test::pairs_by_hand(before, after);
  EXPECT_EQ(f.pairs, by_hand.pairs);
  EXPECT_EQ(f.changed, by_hand.changed);
  EXPECT_EQ(f.lost, by_hand.lost);
  EXPECT_EQ(f.gained, by_hand.gained);
  std::map<Lid, std::uint64_t> changed_to;
  for (const DestinationPaths& to : f.destinations)
    if (to.changed > 0) changed_to[to.lids.after] = to.changed;
  EXPECT_EQ(changed_to, by_hand.changed_to);
  expect_measured(before, f.hops_before, f.balance_before);
  expect_measured(after, f.hops_after, f.balance_after);
  std::uint64_t listed = 0;
  for (std::uint32_t s = 0; s < f.by_switch.size(); ++s)
    if (c.matching.after_of[s] != Matching::kNone)
      listed +=
          changed_entries(before, SwitchId(s), after, SwitchId(c.matching.after_of[s]), c.matching).size();
  EXPECT_EQ(listed, f.entries.total());
}

TEST(Forwarding, IsWhatWalkingEveryPairGives) {
  EXPECT_TRUE(test::check([](std::uint64_t seed) {
    test::Shape shape = test::random_shape(seed, 12);
    shape.lmc = static_cast<std::uint8_t>(seed % 3);
    const fabric::Fabric fabric = test::build(shape);
    const fabric::Fabric after = test::later(fabric, seed + 1);
    const auto bent = static_cast<unsigned>(seed % 7 == 0 ? 40 : seed % 4);
    fabric::RoutingTables tables = test::random_tables(fabric, seed, bent);
    expect_by_hand(test::side("a", fabric, std::move(tables)),
                   test::side("b", after, test::random_tables(after, seed / 2, bent)));
    if (testing::Test::HasFailure()) throw std::runtime_error(fmt::format("seed {}", seed));
  }));
}

TEST(Forwarding, APlanAndItselfAreEqual) {
  const fabric::Fabric fabric = test::build(test::clos(4, 2, 3));
  const Side side = test::side("a", fabric, test::random_tables(fabric, 1, 0));
  const Comparison c = compare(side, side);
  EXPECT_TRUE(c.equal());
  EXPECT_EQ(c.forwarding.pairs, 12U * 11U);
}

TEST(Forwarding, LongPathsAreFollowedToo) {
  // A line of 80 switches is longer than a walk of waves.
  test::Shape shape;
  shape.hosts.assign(80, 1);
  for (std::uint32_t s = 0; s + 1 < 80; ++s) shape.cables.push_back({s, s + 1});
  const fabric::Fabric fabric = test::build(shape);
  expect_by_hand(test::side("a", fabric, test::random_tables(fabric, 1, 0)),
                 test::side("b", fabric, test::random_tables(fabric, 1, 3)));
}

TEST(Forwarding, DoesNotDependOnThreads) {
  const fabric::Fabric fabric = test::build(test::clos(8, 4, 5));
  const Side before = test::side("a", fabric, test::random_tables(fabric, 1, 0));
  const Side after = test::side("b", fabric, test::random_tables(fabric, 1, 90));
  const Comparison many = compare(before, after);
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  const Comparison single = compare(before, after);
  EXPECT_EQ(many.forwarding.changed, single.forwarding.changed);
  EXPECT_EQ(many.forwarding.lost, single.forwarding.lost);
  EXPECT_EQ(many.forwarding.hops_after, single.forwarding.hops_after);
  EXPECT_EQ(many.forwarding.balance_after.fullest, single.forwarding.balance_after.fullest);
}

}  // namespace
}  // namespace rch::compare
