#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "hw/transport.h"

namespace rch::cli {

/// Tells a service manager how the process is, as sd_notify(3) describes it: a datagram for each message.
/// Never blocks. What cannot be sent now is sent in a later turn.
class Notifier {
 public:
  /// What $NOTIFY_SOCKET, $WATCHDOG_USEC and $WATCHDOG_PID ask for. Without them nothing is sent.
  static Notifier from_environment();
  /// `socket`: a path, or `@` and an abstract name; empty: none. `watchdog`: the longest silence.
  Notifier(const std::string& socket, std::optional<std::chrono::microseconds> watchdog);
  ~Notifier();
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;

  /// To be called in each turn of the loop: the first call says that the process is ready. The text of
  /// `status` is sent when it has changed.
  void turn(hw::TimePoint now, const std::function<std::string()>& status);
  /// Before and after the configuration is read again.
  void begin_reload(hw::TimePoint now);
  void end_reload();
  void stopping();
  /// Turns must not be farther apart.
  hw::Milliseconds longest_wait() const;

 private:
  bool send(const std::string& message) const;

  int descriptor_ = -1;
  std::optional<std::chrono::microseconds> watchdog_;
  hw::TimePoint feed_at_{}, status_at_{};
  std::string status_;
  bool ready_ = false, stopping_ = false;
};

}  // namespace rch::cli
