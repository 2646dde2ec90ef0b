#pragma once

#include <string>

#include "cli/json.h"

namespace rch::cli {

/// A JSON document as indented `key: value` lines: the text form of what `rch show` prints.
std::string as_text(const Json& document);

}  // namespace rch::cli
