#pragma once

#include <string>

#include "cli/json.h"

#include "base/diagnostic.h"

namespace rch::cli {

/// Everything known about a rule: what is wrong, why it matters, what OpenSM and NVIDIA SM do with it, how to
/// repair it, and an example with its caret.
std::string explain_text(const Rule& rule);
std::string explain_markdown(const Rule& rule);
Json explain_json(const Rule& rule);

}  // namespace rch::cli
