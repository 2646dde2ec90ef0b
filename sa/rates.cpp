#include "sa/rates.h"

#include <algorithm>
#include <array>

namespace rch::sa {
namespace {

using fabric::LinkSpeed;
using fabric::LinkWidth;

/// Rate codes in ascending payload bandwidth.
constexpr std::array<std::uint8_t, 24> kByRank = {2, 5,  3,  11, 6,  4,  15, 19, 7,  8,  20, 12,
                                                  9, 10, 16, 13, 14, 17, 18, 21, 22, 23, 24, 25};

constexpr std::array<std::uint8_t, 64> ranks() {
  std::array<std::uint8_t, 64> of{};
  for (std::size_t i = 0; i < kByRank.size(); ++i) of[kByRank[i]] = static_cast<std::uint8_t>(i + 1);
  return of;
}
constexpr std::array<std::uint8_t, 64> kRank = ranks();

/// By speed and width 1x, 2x, 4x, 8x, 12x. 12x of XDR has no code: the next lower one.
struct SpeedRow {
  LinkSpeed speed;
  std::array<std::uint8_t, 5> codes;
};
constexpr SpeedRow kSpeeds[] = {
    {LinkSpeed::sdr, {2, 5, 3, 6, 4}},      {LinkSpeed::ddr, {5, 3, 6, 7, 8}},
    {LinkSpeed::qdr, {3, 6, 7, 9, 10}},     {LinkSpeed::fdr10, {3, 6, 7, 9, 10}},
    {LinkSpeed::fdr, {11, 19, 12, 13, 14}}, {LinkSpeed::edr, {15, 20, 16, 17, 18}},
    {LinkSpeed::hdr, {20, 16, 17, 21, 22}}, {LinkSpeed::ndr, {16, 17, 21, 23, 24}},
    {LinkSpeed::xdr, {17, 21, 23, 25, 25}},
};

std::optional<std::size_t> column(LinkWidth width) {
  constexpr LinkWidth kWidths[] = {LinkWidth::x1, LinkWidth::x2, LinkWidth::x4, LinkWidth::x8,
                                   LinkWidth::x12};
  const auto* const at = std::ranges::find(kWidths, width);
  if (at == std::end(kWidths)) return std::nullopt;
  return static_cast<std::size_t>(at - std::begin(kWidths));
}

/// For codes that are in order.
std::optional<std::uint8_t> meet(std::uint8_t found, Selected asked, std::uint8_t lowest) {
  switch (asked.selector) {
    case Selector::greater:
      return found > asked.value ? std::optional(found) : std::nullopt;
    case Selector::less:
      if (found < asked.value) return found;
      if (asked.value <= lowest) return std::nullopt;
      return static_cast<std::uint8_t>(asked.value - 1);
    case Selector::exactly:
      return found < asked.value ? std::nullopt : std::optional(asked.value);
    case Selector::best:
      break;
  }
  return found;
}

}  // namespace

std::uint8_t rate_code(LinkWidth width, LinkSpeed speed) {
  const auto* const row = std::ranges::find(kSpeeds, speed, &SpeedRow::speed);
  const auto at = column(width);
  return row == std::end(kSpeeds) || !at ? std::uint8_t{0} : row->codes[*at];
}

std::uint8_t rate_rank(std::uint8_t code) { return code < kRank.size() ? kRank[code] : std::uint8_t{0}; }

std::uint8_t slower(std::uint8_t a, std::uint8_t b) { return rate_rank(a) < rate_rank(b) ? a : b; }

std::optional<std::uint8_t> meet_mtu(std::uint8_t found, Selected asked) {
  return meet(found, asked, kLowestMtu);
}

std::optional<std::uint8_t> meet_rate(std::uint8_t found, Selected asked) {
  const std::uint8_t rank = rate_rank(found), wish = rate_rank(asked.value);
  switch (asked.selector) {
    case Selector::greater:
      return rank > wish ? std::optional(found) : std::nullopt;
    case Selector::less:
      if (rank < wish) return found;
      if (wish <= 1) return std::nullopt;
      return kByRank[wish - 2U];
    case Selector::exactly:
      return rank < wish ? std::nullopt : std::optional(asked.value);
    case Selector::best:
      break;
  }
  return found;
}

std::optional<std::uint8_t> meet_life(std::uint8_t found, Selected asked) { return meet(found, asked, 0); }

}  // namespace rch::sa
