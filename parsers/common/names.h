#pragma once

#include <optional>

#include "base/diagnostic.h"
#include "parsers/common/paragraphs.h"

namespace rch::parsers {

/// The value as one name: no `,`, `;`, `=`, `@` (config-files 2). Nothing, reported, if it is none or absent.
std::optional<Token> read_name(const Value* value, Diagnostics& diagnostics);

/// The value as free text; nothing if absent.
std::optional<Token> read_text(const Value* value);

}  // namespace rch::parsers
