#pragma once

#include <string>
#include <string_view>

namespace rch {

/// How `before` becomes `after`, as `diff -u` prints it and `patch` reads it; empty if they are equal. The
/// fewest lines, unless thousands change.
std::string line_diff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace rch
