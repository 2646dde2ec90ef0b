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

}  // namespace rch::parsers
