#include "fabric/db_csv_codes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "base/text.h"
#include "fabric/link_rate.h"

namespace rch::fabric {
namespace {

struct SpeedCode {
  std::uint32_t code;
  LinkSpeed speed;
};
// Bytes 0 to 3: LinkSpeed, LinkSpeedExt, the speeds of Mellanox, LinkSpeedExt2.
constexpr std::array<SpeedCode, 11> kSpeedCodes{{{0, LinkSpeed::unknown},
                                                 {1, LinkSpeed::sdr},
                                                 {2, LinkSpeed::ddr},
                                                 {4, LinkSpeed::qdr},
                                                 {1U << 8, LinkSpeed::fdr},
                                                 {2U << 8, LinkSpeed::edr},
                                                 {4U << 8, LinkSpeed::hdr},
                                                 {8U << 8, LinkSpeed::ndr},
                                                 {1U << 16, LinkSpeed::fdr10},
                                                 {2U << 16, LinkSpeed::edr20},
                                                 {1U << 24, LinkSpeed::xdr}}};

struct StateWord {
  std::string_view word;
  PortState state;
};
constexpr std::array<StateWord, 10> kStateWords{{{"1", PortState::down},
                                                 {"2", PortState::init},
                                                 {"3", PortState::armed},
                                                 {"4", PortState::active},
                                                 {"DOWN", PortState::down},
                                                 {"DWN", PortState::down},
                                                 {"INI", PortState::init},
                                                 {"INIT", PortState::init},
                                                 {"ARM", PortState::armed},
                                                 {"ACT", PortState::active}}};

std::string upper(std::string_view word) {
  std::string out(word);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

}  // namespace

std::uint32_t speed_code(LinkSpeed speed) {
  const auto* const at = std::find_if(kSpeedCodes.begin(), kSpeedCodes.end(),
                                      [&](const SpeedCode& s) { return s.speed == speed; });
  return at == kSpeedCodes.end() ? 0 : at->code;
}

std::optional<LinkSpeed> speed_from_csv(std::string_view field) {
  const auto code = parse_integer(field);
  if (!code) return speed_from(upper(field));
  const auto* const at = std::find_if(kSpeedCodes.begin(), kSpeedCodes.end(),
                                      [&](const SpeedCode& s) { return s.code == *code; });
  return at == kSpeedCodes.end() ? std::nullopt : std::optional(at->speed);
}

std::optional<LinkWidth> width_from_csv(std::string_view field) {
  const auto code = parse_integer(field);
  if (!code) return width_from(to_lower(field));
  for (const LinkWidth width :
       {LinkWidth::unknown, LinkWidth::x1, LinkWidth::x4, LinkWidth::x8, LinkWidth::x12, LinkWidth::x2})
    if (static_cast<std::uint64_t>(width) == *code) return width;
  return std::nullopt;
}

std::optional<PortState> state_from_csv(std::string_view field) {
  const std::string word = upper(field);
  const auto* const at = std::find_if(kStateWords.begin(), kStateWords.end(),
                                      [&](const StateWord& s) { return s.word == word; });
  return at == kStateWords.end() ? std::nullopt : std::optional(at->state);
}

}  // namespace rch::fabric
