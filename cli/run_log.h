#pragma once

#include <string_view>

#include "sm/manager.h"

namespace rch::cli {

/// One kind of line in the log of `rch run`. Codes are stable: programs may look for them.
struct LogCode {
  std::string_view code, meaning;
};
/// All of them, as docs/manager.md lists them.
std::span<const LogCode> log_codes();

/// Writes a line to standard output: time, code, text.
void log_line(std::string_view code, const std::string& text);
/// Writes what the manager tells.
void log_event(const sm::ManagerEvent& event);

std::string_view state_name(hw::SmState state);

}  // namespace rch::cli
