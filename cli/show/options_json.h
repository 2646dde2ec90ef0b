#pragma once

#include <string>

#include "cli/json.h"

#include "policy/build/front_end.h"

namespace rch::cli {

/// Every option that applies: of the main file, and of each step what its own file changes. An option is its
/// key, value, source (default, main, step) and, when a file sets it, `file:line`.
Json options_json(const policy::Configuration& configuration, const SourceSet& sources);

/// The same as columns.
std::string options_text(const Json& options);

/// Every option that there is: its key, default, and what rch does with it.
Json known_options_json();
std::string known_options_text(const Json& options);

}  // namespace rch::cli
