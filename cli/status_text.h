#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/json.h"

namespace rch::cli {

/// The answer to a request for the status, as people read it: lines of a name and a text.
std::vector<std::pair<std::string, std::string>> status_lines(const Json& status);
/// The same on one line.
std::string status_line(const Json& status);
/// A master or an observer of tables that are proven, or a standby that follows its master; and nothing
/// degrades it.
bool is_healthy(const Json& status);

}  // namespace rch::cli
