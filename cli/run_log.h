#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "sm/manager.h"

namespace rch::cli {

/// One kind of line in the log of `rch run`. Codes are stable: programs may look for them.
struct LogCode {
  std::string_view code, meaning;
};
/// All of them, as docs/manager.md lists them.
std::span<const LogCode> log_codes();

/// The log of `rch run` on standard output. A line has a time, a code and a text.
class RunLog {
 public:
  using Clock = std::function<std::chrono::system_clock::time_point()>;
  explicit RunLog(Clock clock = std::chrono::system_clock::now) : clock_(std::move(clock)) {}

  void line(std::string_view code, const std::string& text) const;
  /// What the manager tells.
  void event(const sm::ManagerEvent& event) const;

 private:
  Clock clock_;
};

std::string_view state_name(hw::SmState state);

}  // namespace rch::cli
