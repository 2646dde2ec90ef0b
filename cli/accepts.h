#pragma once

#include <string>
#include <vector>

#include "sm/install.h"

namespace rch::cli {

/// What `--accept` may name besides kinds of findings of a verdict, where tables are installed.
std::vector<std::string> accepted_by_install();
/// The options with what `accept` names.
sm::InstallOptions accepted(const std::vector<std::string>& accept);

}  // namespace rch::cli
