#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace rch::cli {

/// Every registered diagnostic of every folder, by name.
std::vector<const Rule*> all_rules();

/// Null if no diagnostic has that name.
const Rule* find_rule(std::string_view name);

}  // namespace rch::cli
