#include "perfmgr/totals.h"

#include <gtest/gtest.h>

namespace rch::perfmgr {
namespace {

constexpr auto kDowned = static_cast<std::size_t>(Counter::link_downed);
constexpr auto kData = static_cast<std::size_t>(Counter::xmit_data);
constexpr auto kIntegrity = static_cast<std::size_t>(Counter::local_link_integrity_errors);

Reading reading(std::size_t counter, std::uint64_t value) {
  Reading out;
  out.values[counter] = value;
  out.present.set(counter);
  return out;
}

Change change(std::size_t counter, std::uint64_t before, std::uint64_t now, Abilities abilities = {}) {
  const LastReading last{reading(counter, before), abilities};
  return compare(&last, reading(counter, now), abilities);
}

TEST(Change, WithoutAReadingBeforeNothingHasRisen) {
  const Change first = compare(nullptr, reading(kDowned, 7), {});
  EXPECT_EQ(first.risen[kDowned], 0U);
  EXPECT_TRUE(first.reset.none() && first.saturated.none() && first.full.none());
}

TEST(Change, IsTheDifference) {
  EXPECT_EQ(change(kDowned, 7, 19).risen[kDowned], 12U);
  EXPECT_EQ(change(kDowned, 7, 7).risen[kDowned], 0U);
}

TEST(Change, ACounterThatWentBackwardsBeganAtZero) {
  const Change back = change(kDowned, 7, 3);
  EXPECT_TRUE(back.reset[kDowned]);
  EXPECT_EQ(back.risen[kDowned], 3U);
}

TEST(Change, NarrowCountersAreFullWithAQuarterLeft) {
  EXPECT_FALSE(change(kDowned, 0, 191).full[kDowned]);
  EXPECT_TRUE(change(kDowned, 0, 192).full[kDowned]);
  EXPECT_FALSE(change(kIntegrity, 0, 9).full[kIntegrity]);
  EXPECT_TRUE(change(kIntegrity, 0, 10).full[kIntegrity]);
  EXPECT_TRUE(change(kData, 0, 0xC0000000).full[kData]);
  EXPECT_FALSE(change(kData, 0, 0xC0000000, {.wide = true}).full[kData]) << "64 bits";
}

TEST(Change, AMaximumIsToldOnce) {
  EXPECT_TRUE(change(kDowned, 254, 255).saturated[kDowned]);
  EXPECT_FALSE(change(kDowned, 255, 255).saturated[kDowned]);
}

TEST(Change, ReadingsOfOtherAbilitiesAreNotCompared) {
  const LastReading last{reading(kData, 1000), {.wide = true}};
  const Change other = compare(&last, reading(kData, 10), {});
  EXPECT_EQ(other.risen[kData], 0U);
  EXPECT_TRUE(other.reset.none());
}

TEST(Totals, BeginWithWhatThePortShows) {
  Totals totals({{{Guid(1), PortNum(1)}}, {{Guid(1), PortNum(2)}}});
  EXPECT_EQ(totals.get(Counter::link_downed, 1), Totals::kUnknown);
  add(totals, 1, reading(kDowned, 7), {});
  EXPECT_EQ(totals.get(Counter::link_downed, 1), 7U);
  EXPECT_EQ(totals.get(Counter::link_downed, 0), Totals::kUnknown);
  add(totals, 1, reading(kDowned, 9), change(kDowned, 7, 9));
  add(totals, 1, reading(kDowned, 4), change(kDowned, 9, 4));
  EXPECT_EQ(totals.get(Counter::link_downed, 1), 13U);
}

TEST(Totals, RowsAreFoundByPort) {
  const Totals totals({{{Guid(1), PortNum(1)}}, {{Guid(1), PortNum(3)}}, {{Guid(2), PortNum(1)}}});
  EXPECT_EQ(totals.find({Guid(1), PortNum(3)}), 1U);
  EXPECT_EQ(totals.find({Guid(2), PortNum(1)}), 2U);
  EXPECT_EQ(totals.find({Guid(1), PortNum(2)}), std::nullopt);
}

}  // namespace
}  // namespace rch::perfmgr
