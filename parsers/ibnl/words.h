#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/diagnostic.h"
#include "parsers/common/numbers.h"

namespace rch::parsers::ibnl {

/// False, reported, for a word that IBDM's scanner does not take as a name (docs/ibdm.md).
bool check_name(const Token& word, Diagnostics& diagnostics);

/// A decimal number without leading zero; nothing, reported, for anything else. `kind.high` at most 255.
std::optional<std::uint8_t> read_count(const Token& word, const NumberKind& kind, Diagnostics& diagnostics);

}  // namespace rch::parsers::ibnl
