#include "parsers/common/token.h"

#include <algorithm>

namespace rch::parsers {

Token part(const Token& token, std::size_t begin, std::size_t end) {
  const auto at = [&](std::size_t offset) { return token.span.begin + static_cast<std::uint32_t>(offset); };
  return {token.text.substr(begin, end - begin), {token.span.source, at(begin), at(end)}};
}

Token rest_of(const Token& token, std::size_t skip) {
  const std::size_t at = token.text.find_first_not_of(" \t", skip);
  return part(token, std::min(at, token.text.size()), token.text.size());
}

Token first_word(const Token& token, const char* ends) {
  return part(token, 0, std::min(token.text.find_first_of(ends), token.text.size()));
}

}  // namespace rch::parsers
