#pragma once

#include <string_view>

#include "base/diagnostic.h"

namespace rch::policy {

/// A finding of the rule as rch prints it, from a text of the test suite; empty if there is none.
std::string_view example(const Rule& rule);

}  // namespace rch::policy
