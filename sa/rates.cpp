#include "sa/rates.h"

namespace rch::sa {
namespace {

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
      return fabric::rate_of_rank(static_cast<std::uint8_t>(wish - 1));
    case Selector::exactly:
      return rank < wish ? std::nullopt : std::optional(asked.value);
    case Selector::best:
      break;
  }
  return found;
}

std::optional<std::uint8_t> meet_life(std::uint8_t found, Selected asked) { return meet(found, asked, 0); }

}  // namespace rch::sa
