#pragma once

// Codes of path MTU, rate and packet life, and their order (IBA 15.2.5).

#include <cstdint>
#include <optional>
#include <string>

#include "fabric/rate_codes.h"

namespace rch::sa {

using fabric::rate_code;
using fabric::rate_rank;

/// "10 Gb/s" of a rate code; "an unknown rate" of what is none.
std::string rate_text(std::uint8_t code);

/// Code of the highest rate that is at most both.
std::uint8_t slower(std::uint8_t a, std::uint8_t b);

/// The two bits before a value in PathRecord and MCMemberRecord.
enum class Selector : std::uint8_t { greater = 0, less = 1, exactly = 2, best = 3 };

/// A value that a request wants.
struct Selected {
  Selector selector = Selector::best;
  std::uint8_t value = 0;
};

inline constexpr std::uint8_t kLowestMtu = 1, kHighestMtu = 5;

/// What an answer says where `found` is what the path has: nothing if that cannot be met. A path that has
/// more than is asked is used for less.
std::optional<std::uint8_t> meet_mtu(std::uint8_t found, Selected asked);
std::optional<std::uint8_t> meet_rate(std::uint8_t found, Selected asked);
std::optional<std::uint8_t> meet_life(std::uint8_t found, Selected asked);

}  // namespace rch::sa
