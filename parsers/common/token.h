#pragma once

#include <cstdint>
#include <string>

#include "base/source.h"

namespace rch::parsers {

/// A piece of text and where it stands.
struct Token {
  std::string text;
  Span span;
};

/// An integer and where it stands.
struct Number {
  std::uint64_t value = 0;
  Span span;
};

// Parts of a token that stands on one line.

/// Bytes [begin, end).
Token part(const Token& token, std::size_t begin, std::size_t end);
/// Without its first `skip` bytes and the blanks behind them.
Token rest_of(const Token& token, std::size_t skip);
/// Up to a blank or one of `ends`.
Token first_word(const Token& token, const char* ends = " \t:");

}  // namespace rch::parsers
