#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "cli/control_socket.h"
#include "cli/event_log.h"
#include "cli/log_sink.h"
#include "cli/output.h"
#include "policy/model/options.h"
#include "sm/manager.h"

namespace rch::cli {

/// How much a line of the log matters.
enum class LogLevel { info, warning, error };

/// One kind of line in the log of `rch run`. Codes are stable: programs may look for them.
struct LogCode {
  std::string_view code;
  LogLevel level;
  std::string_view meaning;
};
std::string_view name_of(LogLevel level);
/// All of them, as docs/manager.md lists them.
std::span<const LogCode> log_codes();

/// The log of `rch run`. A line has a time, a level, a code and a text, or is the JSON of them. Copies write
/// the same log, in any thread.
class RunLog {
 public:
  using Clock = std::function<std::chrono::system_clock::time_point()>;
  /// On standard output.
  explicit RunLog(Clock clock = std::chrono::system_clock::now);
  /// Fails (usage) when the file cannot be opened. No file: standard output.
  static Result<RunLog> create(const std::string& file, bool as_json, const policy::LogOptions& options = {});

  /// `fields`: what the text tells, by name.
  void line(std::string_view code, const std::string& text, const Json& fields = Json::object()) const;
  const EventLog& events() const;
  /// Lines so far, by code.
  std::map<std::string, std::uint64_t, std::less<>> counts() const;
  /// What the manager tells, but for joins and leaves: they are many. `fabric`: whose LIDs it names; null:
  /// not known.
  void event(const sm::ManagerEvent& event, const fabric::Fabric* fabric) const;
  /// Takes what a report prints of a plan.
  Output::Sink reports() const;
  /// The file was moved away.
  void reopen() const;
  /// "2026-03-01T08:00:00.000Z", so long from now.
  std::string time_in(std::chrono::milliseconds span) const;

 private:
  struct Shared;
  void changes(const std::vector<fabric::Change>& changes) const;
  std::string text_line(const std::string& time, std::string_view code, std::string_view text) const;
  RunLog(Clock clock, std::unique_ptr<LogSink> sink, bool as_json, std::string prefix);

  Clock clock_;
  std::shared_ptr<Shared> shared_;
};

/// The answer to those who watch: lines from the request's `since` on, or from now on.
ControlSocket::Reply watch(const EventLog& events, const WatchRequest& request);

std::string_view state_name(hw::SmState state);

}  // namespace rch::cli
