#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "base/diagnostic.h"
#include "parsers/common/token.h"

namespace rch::parsers {

/// What a number means and how large it may be.
struct NumberKind {
  std::string_view what;  ///< `a port number`
  std::uint64_t low = 0;
  std::uint64_t high = std::numeric_limits<std::uint64_t>::max();
};

/// A C base-0 integer (docs/configuration.md). Nothing, and one diagnostic, if the token is none or out of
/// range.
std::optional<Number> read_number(const Token& token, const NumberKind& kind, Diagnostics& diagnostics);

/// A 64-bit GUID other than 0, same rules.
std::optional<Guid> read_guid(const Token& token, Diagnostics& diagnostics);

}  // namespace rch::parsers
