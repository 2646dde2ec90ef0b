#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parsers/common/token.h"

namespace rch::parsers {

/// The text behind a qualifier's colon. A value continued over several lines is one text, its pieces joined
/// by one blank each; places in it map back to the file.
class Value {
 public:
  void append(std::string_view text, Span span);

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  /// From the first to the last piece.
  Span span() const;
  /// The span of the bytes [begin, end) of text(), cut at the end of the piece in which they begin.
  Span span(std::size_t begin, std::size_t end) const;
  Token token(std::size_t begin, std::size_t end) const {
    return {text_.substr(begin, end - begin), span(begin, end)};
  }
  Token token() const { return {text_, span()}; }

 private:
  struct Piece {
    std::size_t at;  ///< offset in text_
    Span span;
  };
  std::string text_;
  std::vector<Piece> pieces_;
};

}  // namespace rch::parsers
