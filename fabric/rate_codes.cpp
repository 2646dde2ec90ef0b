#include "fabric/rate_codes.h"

#include <algorithm>
#include <array>
#include <optional>

namespace rch::fabric {
namespace {

/// Rate codes in ascending payload bandwidth.
constexpr std::array<std::uint8_t, 24> kByRank = {2, 5,  3,  11, 6,  4,  15, 19, 7,  8,  20, 12,
                                                  9, 10, 16, 13, 14, 17, 18, 21, 22, 23, 24, 25};

constexpr std::array<std::uint8_t, 64> ranks() {
  std::array<std::uint8_t, 64> of{};
  for (std::size_t i = 0; i < kByRank.size(); ++i) of[kByRank[i]] = static_cast<std::uint8_t>(i + 1);
  return of;
}
constexpr std::array<std::uint8_t, 64> kRank = ranks();

/// By speed and width 1x, 2x, 4x, 8x, 12x. 12x of XDR and 8x and 12x of EDR20 have no code: the
/// next lower one.
struct SpeedRow {
  LinkSpeed speed;
  std::array<std::uint8_t, 5> codes;
};
constexpr SpeedRow kCodesBySpeed[] = {
    {LinkSpeed::sdr, {2, 5, 3, 6, 4}},      {LinkSpeed::ddr, {5, 3, 6, 7, 8}},
    {LinkSpeed::qdr, {3, 6, 7, 9, 10}},     {LinkSpeed::fdr10, {3, 6, 7, 9, 10}},
    {LinkSpeed::fdr, {11, 19, 12, 13, 14}}, {LinkSpeed::edr, {15, 20, 16, 17, 18}},
    {LinkSpeed::hdr, {20, 16, 17, 21, 22}}, {LinkSpeed::ndr, {16, 17, 21, 23, 24}},
    {LinkSpeed::xdr, {17, 21, 23, 25, 25}}, {LinkSpeed::edr20, {6, 7, 9, 10, 17}},
};

std::optional<std::size_t> column(LinkWidth width) {
  constexpr LinkWidth kWidthColumns[] = {LinkWidth::x1, LinkWidth::x2, LinkWidth::x4, LinkWidth::x8,
                                         LinkWidth::x12};
  const auto* const at = std::ranges::find(kWidthColumns, width);
  if (at == std::end(kWidthColumns)) return std::nullopt;
  return static_cast<std::size_t>(at - std::begin(kWidthColumns));
}

}  // namespace

std::uint8_t rate_code(LinkWidth width, LinkSpeed speed) {
  const auto* const row = std::ranges::find(kCodesBySpeed, speed, &SpeedRow::speed);
  const auto at = column(width);
  return row == std::end(kCodesBySpeed) || !at ? std::uint8_t{0} : row->codes[*at];
}

std::uint8_t rate_rank(std::uint8_t code) { return code < kRank.size() ? kRank[code] : std::uint8_t{0}; }

std::uint8_t rate_of_rank(std::uint8_t rank) { return kByRank[rank - 1U]; }

}  // namespace rch::fabric
