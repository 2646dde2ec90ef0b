#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sm/install.h"

namespace rch::cli {

/// A master had another configuration, and is replaced when it is gone.
inline constexpr std::string_view kOtherConfiguration = "other-configuration";

/// `topo_config_file` or `held_back_sw_file` cuts off what the installed plan has.
inline constexpr std::string_view kCutOff = "cut-off";

/// A drain may leave LIDs without a path while tables are replaced.
inline constexpr std::string_view kInterruption = "interruption";

/// What `--accept` may name besides kinds of findings of a verdict, where tables are installed.
std::vector<std::string> accepted_by_install();
/// The same, where a manager stays: also what it may take over from.
std::vector<std::string> accepted_by_run();
/// The options with what `accept` names.
sm::InstallOptions accepted(const std::vector<std::string>& accept);

}  // namespace rch::cli
