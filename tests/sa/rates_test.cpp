#include <gtest/gtest.h>

#include <algorithm>

#include "sa/rates.h"

namespace rch::sa {
namespace {

using fabric::LinkSpeed;
using fabric::LinkWidth;

/// Codes and the Gb/s that they mean (IBA 15.2.5).
struct Rate {
  std::uint8_t code;
  double gbps;
};
constexpr Rate kRates[] = {{2, 2.5},  {5, 5},    {3, 10},   {11, 14},  {6, 20},    {4, 30},
                           {15, 25},  {19, 28},  {7, 40},   {8, 60},   {20, 50},   {12, 56},
                           {9, 80},   {10, 120}, {16, 100}, {13, 112}, {14, 168},  {17, 200},
                           {18, 300}, {21, 400}, {22, 600}, {23, 800}, {24, 1200}, {25, 1600}};

/// Bits of payload: 8 of 10 up to QDR, 64 of 66 beyond.
double payload(const Rate& rate) {
  constexpr std::uint8_t kOld[] = {2, 5, 3, 6, 4, 7, 8, 9, 10};
  return rate.gbps * (std::ranges::find(kOld, rate.code) != std::end(kOld) ? 0.8 : 64.0 / 66.0);
}

TEST(Rates, RankIsByPayload) {
  for (const Rate& a : kRates)
    for (const Rate& b : kRates)
      if (payload(a) < payload(b) * 0.999) {
        EXPECT_LT(rate_rank(a.code), rate_rank(b.code)) << +a.code << " " << +b.code;
      }
  for (const unsigned none : {0U, 1U, 26U, 63U, 64U, 255U})
    EXPECT_EQ(rate_rank(static_cast<std::uint8_t>(none)), 0);
}

TEST(Rates, CodeIsThatOfWidthAndSpeed) {
  EXPECT_EQ(rate_code(LinkWidth::x4, LinkSpeed::sdr), 3);
  EXPECT_EQ(rate_code(LinkWidth::x4, LinkSpeed::qdr), 7);
  EXPECT_EQ(rate_code(LinkWidth::x2, LinkSpeed::hdr), 16);
  EXPECT_EQ(rate_code(LinkWidth::x4, LinkSpeed::ndr), 21);
  EXPECT_EQ(rate_code(LinkWidth::x12, LinkSpeed::xdr), 25);
  EXPECT_EQ(rate_code(LinkWidth::x4, LinkSpeed::edr20), 9) << "4 lanes of 20 Gb/s";
  EXPECT_EQ(rate_code(LinkWidth::unknown, LinkSpeed::sdr), 0);
  EXPECT_EQ(rate_code(LinkWidth::x4, LinkSpeed::unknown), 0);
}

TEST(Rates, SelectorsOfMtu) {
  EXPECT_EQ(meet_mtu(4, {Selector::greater, 3}), 4);
  EXPECT_EQ(meet_mtu(4, {Selector::greater, 4}), std::nullopt);
  EXPECT_EQ(meet_mtu(4, {Selector::less, 5}), 4);
  EXPECT_EQ(meet_mtu(4, {Selector::less, 4}), 3);
  EXPECT_EQ(meet_mtu(4, {Selector::less, 1}), std::nullopt);
  EXPECT_EQ(meet_mtu(4, {Selector::exactly, 2}), 2);
  EXPECT_EQ(meet_mtu(4, {Selector::exactly, 5}), std::nullopt);
  EXPECT_EQ(meet_mtu(4, {Selector::best, 5}), 4);
}

TEST(Rates, SelectorsOfRateGoByRank) {
  EXPECT_EQ(meet_rate(15, {Selector::greater, 4}), 15);  // 25 Gb/s of 64/66 carry more than 30 of 8/10
  EXPECT_EQ(meet_rate(4, {Selector::less, 15}), 4);
  EXPECT_EQ(meet_rate(16, {Selector::less, 16}), 10);
  EXPECT_EQ(meet_rate(16, {Selector::less, 2}), std::nullopt);
  EXPECT_EQ(meet_rate(16, {Selector::exactly, 7}), 7);
  EXPECT_EQ(meet_rate(7, {Selector::exactly, 16}), std::nullopt);
}

}  // namespace
}  // namespace rch::sa
