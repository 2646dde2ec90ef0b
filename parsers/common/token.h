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

}  // namespace rch::parsers
