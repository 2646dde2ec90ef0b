#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "fabric/fabric.h"

namespace rch::fabric {

/// `4x`, `??` if unknown: the word of ibnetdiscover and opensm-subnet.lst.
std::string_view to_string(LinkWidth width);
/// `QDR`, `???` if unknown: the word of ibnetdiscover.
std::string_view to_string(LinkSpeed speed);
/// `10`, `??` if unknown: the word of opensm-subnet.lst (lane rate in Gb/s).
std::string_view subnet_lst_word(LinkSpeed speed);

/// The reverse; nothing for a word that is none of theirs (the words for unknown are).
std::optional<LinkWidth> width_from(std::string_view word);
std::optional<LinkSpeed> speed_from(std::string_view word);
std::optional<LinkSpeed> speed_from_subnet_lst(std::string_view word);

struct LinkRate {
  LinkWidth width = LinkWidth::unknown;
  LinkSpeed speed = LinkSpeed::unknown;
};

/// `4xQDR`.
std::optional<LinkRate> rate_from(std::string_view word);

/// What a port enables, as bit masks of PortInfo; ibsim's `w=`, `s=`, `e=` (ibsim's sim_net.c) and its
/// defaults.
struct EnabledRates {
  std::uint8_t width = 2;
  std::uint8_t speed = 1;
  std::uint8_t extended = 0;
};

/// Best rate that both enable; unknown width or speed where they have none in common.
LinkRate best_common(const EnabledRates& a, const EnabledRates& b);

}  // namespace rch::fabric
