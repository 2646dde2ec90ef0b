#include "fabric/link_rate.h"

#include <array>

namespace rch::fabric {
namespace {

struct WidthWord {
  LinkWidth width;
  std::string_view word;
};
// Best first.
constexpr std::array<WidthWord, 6> kWidths{{{LinkWidth::x12, "12x"},
                                            {LinkWidth::x8, "8x"},
                                            {LinkWidth::x4, "4x"},
                                            {LinkWidth::x2, "2x"},
                                            {LinkWidth::x1, "1x"},
                                            {LinkWidth::unknown, "??"}}};

struct SpeedWords {
  LinkSpeed speed;
  std::string_view word;
  std::string_view subnet_lst;
};
// opensm-subnet.lst knows lane rates up to 50; the faster words continue its habit (OpenSM's osm_dump.c).
constexpr std::array<SpeedWords, 11> kSpeeds{{{LinkSpeed::unknown, "???", "??"},
                                              {LinkSpeed::sdr, "SDR", "2.5"},
                                              {LinkSpeed::ddr, "DDR", "5"},
                                              {LinkSpeed::qdr, "QDR", "10"},
                                              {LinkSpeed::fdr10, "FDR10", "FDR10"},
                                              {LinkSpeed::fdr, "FDR", "14"},
                                              {LinkSpeed::edr, "EDR", "25"},
                                              {LinkSpeed::hdr, "HDR", "50"},
                                              {LinkSpeed::ndr, "NDR", "100"},
                                              {LinkSpeed::xdr, "XDR", "200"},
                                              {LinkSpeed::edr20, "EDR20", "EDR20"}}};

struct SpeedBit {
  std::uint8_t bit;
  LinkSpeed speed;
};
constexpr std::array<SpeedBit, 4> kExtendedBits{
    {{8, LinkSpeed::ndr}, {4, LinkSpeed::hdr}, {2, LinkSpeed::edr}, {1, LinkSpeed::fdr}}};
constexpr std::array<SpeedBit, 3> kSpeedBits{{{4, LinkSpeed::qdr}, {2, LinkSpeed::ddr}, {1, LinkSpeed::sdr}}};

}  // namespace

std::string_view to_string(LinkWidth width) {
  for (const WidthWord& w : kWidths)
    if (w.width == width) return w.word;
  return "??";
}

std::string_view to_string(LinkSpeed speed) { return kSpeeds[static_cast<std::size_t>(speed)].word; }
std::string_view subnet_lst_word(LinkSpeed speed) {
  return kSpeeds[static_cast<std::size_t>(speed)].subnet_lst;
}

std::optional<LinkWidth> width_from(std::string_view word) {
  for (const WidthWord& w : kWidths)
    if (w.word == word) return w.width;
  return std::nullopt;
}

std::optional<LinkSpeed> speed_from(std::string_view word) {
  for (const SpeedWords& s : kSpeeds)
    if (s.word == word) return s.speed;
  return std::nullopt;
}

std::optional<LinkSpeed> speed_from_subnet_lst(std::string_view word) {
  for (const SpeedWords& s : kSpeeds)
    if (s.subnet_lst == word) return s.speed;
  return std::nullopt;
}

std::optional<LinkRate> rate_from(std::string_view word) {
  for (const WidthWord& w : kWidths) {
    if (!word.starts_with(w.word)) continue;
    const auto speed = speed_from(word.substr(w.word.size()));
    if (speed) return LinkRate{w.width, *speed};
  }
  return std::nullopt;
}

LinkRate best_common(const EnabledRates& a, const EnabledRates& b) {
  LinkRate rate;
  for (const WidthWord& w : kWidths) {
    if ((a.width & b.width & static_cast<unsigned>(w.width)) == 0) continue;
    rate.width = w.width;
    break;
  }
  for (const SpeedBit& s : kSpeedBits)
    if (rate.speed == LinkSpeed::unknown && (a.speed & b.speed & s.bit) != 0) rate.speed = s.speed;
  if (rate.speed == LinkSpeed::unknown) return rate;  // ibsim wants a common basic speed in any case
  for (const SpeedBit& s : kExtendedBits)
    if ((a.extended & b.extended & s.bit) != 0) return {rate.width, s.speed};
  return rate;
}

}  // namespace rch::fabric
