#include "sa/rates.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

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

std::string rate_text(std::uint8_t code) {
  constexpr std::pair<std::uint8_t, std::string_view> kRates[] = {
      {2, "2.5"},  {3, "10"},  {4, "30"},  {5, "5"},    {6, "20"},   {7, "40"},   {8, "60"},    {9, "80"},
      {10, "120"}, {11, "14"}, {12, "56"}, {13, "112"}, {14, "168"}, {15, "25"},  {16, "100"},  {17, "200"},
      {18, "300"}, {19, "28"}, {20, "50"}, {21, "400"}, {22, "600"}, {23, "800"}, {24, "1200"}, {25, "1600"}};
  const auto* const rate = std::ranges::find(kRates, code, &std::pair<std::uint8_t, std::string_view>::first);
  return rate == std::end(kRates) ? "an unknown rate" : fmt::format("{} Gb/s", rate->second);
}

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
