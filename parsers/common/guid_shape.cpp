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

std::string guid_of_pairs(std::string_view word) {
  constexpr std::size_t kPairs = 8, kQuads = 4;
  std::string digits;
  std::size_t parts = 0;
  for (std::size_t at = 0; at <= word.size(); ++parts) {
    const std::size_t end = std::min(word.find(':', at), word.size());
    digits += word.substr(at, end - at);
    at = end + 1;
  }
  const bool equal = word.size() == 2 * kPairs + parts - 1 && (parts == kPairs || parts == kQuads);
  const bool hex = std::ranges::all_of(digits, [](unsigned char c) { return std::isxdigit(c) != 0; });
  return equal && hex && digits.size() == 2 * kPairs ? "0x" + digits : std::string();
}

}  // namespace rch::parsers
