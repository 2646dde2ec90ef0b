#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "cli/control_socket.h"
#include "cli/event_log.h"
#include "sm/manager.h"

namespace rch::cli {

/// One kind of line in the log of `rch run`. Codes are stable: programs may look for them.
struct LogCode {
  std::string_view code, meaning;
};
/// All of them, as docs/manager.md lists them.
std::span<const LogCode> log_codes();

/// The log of `rch run` on standard output. A line has a time, a code and a text. Copies write the same log.
class RunLog {
 public:
  using Clock = std::function<std::chrono::system_clock::time_point()>;
  explicit RunLog(Clock clock = std::chrono::system_clock::now)
      : clock_(std::move(clock)), events_(std::make_shared<EventLog>()) {}

  /// `fields`: what the text tells, by name.
  void line(std::string_view code, const std::string& text, const Json& fields = Json::object()) const;
  const EventLog& events() const { return *events_; }
  /// What the manager tells.
  void event(const sm::ManagerEvent& event) const;

 private:
  Clock clock_;
  std::shared_ptr<EventLog> events_;
};

/// The answer to those who watch: lines from the request's `since` on, or from now on.
ControlSocket::Reply watch(const EventLog& events, const Json& request);

std::string_view state_name(hw::SmState state);

}  // namespace rch::cli
