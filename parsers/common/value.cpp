#include "parsers/common/value.h"

#include <algorithm>

namespace rch::parsers {

void Value::append(std::string_view text, Span span) {
  if (!text_.empty()) text_ += ' ';
  pieces_.push_back({text_.size(), span});
  text_ += text;
}

Span Value::span() const {
  if (pieces_.empty()) return {};
  return {pieces_.front().span.source, pieces_.front().span.begin, pieces_.back().span.end};
}

Span Value::span(std::size_t begin, std::size_t end) const {
  if (pieces_.empty()) return {};
  auto piece = std::upper_bound(pieces_.begin(), pieces_.end(), begin,
                                [](std::size_t at, const Piece& p) { return at < p.at; });
  if (piece != pieces_.begin()) --piece;
  const auto place = [&](std::size_t at) {
    return std::min(static_cast<std::uint32_t>(piece->span.begin + (at - piece->at)), piece->span.end);
  };
  return {piece->span.source, place(begin), place(end)};
}

}  // namespace rch::parsers
