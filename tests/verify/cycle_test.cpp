// The search for a short cycle, on graphs of bare channels.

#include <gmock/gmock.h>

#include "verify/cycle.h"

namespace rch::verify {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ChannelDependencyGraph graph(const std::vector<std::vector<std::uint32_t>>& after) {
  ChannelDependencyGraph g;
  g.channels.resize(after.size());
  for (const auto& to : after) {
    g.first.push_back(static_cast<std::uint32_t>(g.dependents.size()));
    g.dependents.insert(g.dependents.end(), to.begin(), to.end());
  }
  g.first.push_back(static_cast<std::uint32_t>(g.dependents.size()));
  return g;
}

TEST(Cycle, NoneInATreeOrADiamond) {
  EXPECT_THAT(shortest_cycle(graph({})).channels, IsEmpty());
  const Cycle cycle = shortest_cycle(graph({{1, 2}, {3}, {3}, {4}, {}}));
  EXPECT_THAT(cycle.channels, IsEmpty());
  EXPECT_EQ(cycle.concerned, 0U);
}

TEST(Cycle, LeavesOutWhatLeadsInAndOut) {
  const Cycle cycle = shortest_cycle(graph({{1}, {2}, {3, 4}, {1}, {}}));
  EXPECT_THAT(cycle.channels, ElementsAre(1, 2, 3));
  EXPECT_EQ(cycle.concerned, 3U);
}

TEST(Cycle, TakesTheSmallestComponentAndTheShortcut) {
  // 0..4 is a cycle of five; 5..8 one of four with the shortcut 6 -> 8.
  const Cycle cycle = shortest_cycle(graph({{1}, {2}, {3}, {4}, {0, 5}, {6}, {7, 8}, {8}, {5}}));
  EXPECT_THAT(cycle.channels, ElementsAre(5, 6, 8));
  EXPECT_EQ(cycle.concerned, 9U);
}

TEST(Cycle, ChannelThatWaitsForItself) {
  EXPECT_THAT(shortest_cycle(graph({{1}, {1, 2}, {}})).channels, ElementsAre(1));
}

TEST(Cycle, BetweenComponentsThereIsNone) {
  // 2 lies between two cycles and on neither.
  const Cycle cycle = shortest_cycle(graph({{1}, {0, 2}, {3}, {4}, {3}}));
  EXPECT_EQ(cycle.concerned, 4U);
  EXPECT_THAT(cycle.channels, ElementsAre(0, 1));
}

TEST(Cycle, LongCycleNeedsNoRecursion) {
  std::vector<std::vector<std::uint32_t>> after;
  for (std::uint32_t c = 0; c < 200'000; ++c) after.push_back({(c + 1) % 200'000});
  EXPECT_EQ(shortest_cycle(graph(after)).channels.size(), 200'000U);
}

}  // namespace
}  // namespace rch::verify
