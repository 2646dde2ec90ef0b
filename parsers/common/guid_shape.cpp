#include "parsers/common/guid_shape.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace rch::parsers {

bool resembles_guid(std::string_view word) {
  constexpr std::size_t kLikely = 12;
  const auto digits = [&](int (*is)(int)) {
    return static_cast<std::size_t>(
        std::ranges::count_if(word, [&](char c) { return is(static_cast<unsigned char>(c)) != 0; }));
  };
  return word.size() >= kLikely && digits(std::isxdigit) + 2 >= word.size() &&
         2 * digits(std::isdigit) >= word.size();
}

std::string guid_of_groups(std::string_view word) {
  constexpr std::size_t kDigits = 16;
  if (word.starts_with("0x") || word.starts_with("0X")) word.remove_prefix(2);
  const std::size_t first = word.find_first_of(":-.");
  if (first == std::string_view::npos || first == 0 || kDigits % first != 0) return {};
  std::string digits;
  for (std::size_t at = 0; at < word.size(); at += first + 1) {
    digits += word.substr(at, first);
    if (at + first < word.size() && word[at + first] != word[first]) return {};
  }
  const bool whole = word.size() == kDigits + kDigits / first - 1;
  const bool hex = std::ranges::all_of(digits, [](unsigned char c) { return std::isxdigit(c) != 0; });
  return whole && hex && digits.size() == kDigits ? "0x" + digits : std::string();
}

}  // namespace rch::parsers
