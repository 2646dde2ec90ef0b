#pragma once

#include <string>

namespace rch::cli {

/// The environment variable with the folder of the lab that a command runs in.
inline constexpr const char* kLabFolder = "RCH_LAB";

/// Returns that folder; it is empty outside of a lab.
std::string lab_folder();

}  // namespace rch::cli
