#include "cli/notifier.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "base/text.h"

namespace rch::cli {
namespace {

/// A status that changes again and again is sent this often.
constexpr hw::Milliseconds kStatusEvery{500};

std::optional<std::uint64_t> number_of(const char* variable) {
  const char* text = std::getenv(variable);
  return text != nullptr ? parse_integer(text) : std::nullopt;
}

/// A socket that sends to `path`; -1: it cannot be reached.
int connected_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) return -1;
  std::memcpy(address.sun_path, path.data(), path.size());
  if (path.front() == '@') address.sun_path[0] = '\0';
  const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  if (descriptor < 0 || connect(descriptor, reinterpret_cast<const sockaddr*>(&address), size) == 0)
    return descriptor;
  close(descriptor);
  return -1;
}

}  // namespace

Notifier Notifier::from_environment() {
  const char* socket = std::getenv("NOTIFY_SOCKET");
  const auto watchdog = number_of("WATCHDOG_USEC");
  const auto process = number_of("WATCHDOG_PID");
  const bool for_us = !process || *process == static_cast<std::uint64_t>(getpid());
  return Notifier(socket != nullptr ? socket : "", watchdog && *watchdog > 0 && for_us
                                                       ? std::optional(std::chrono::microseconds(*watchdog))
                                                       : std::nullopt);
}

Notifier::Notifier(const std::string& socket, std::optional<std::chrono::microseconds> watchdog)
    : descriptor_(connected_to(socket)), watchdog_(watchdog) {}

Notifier::~Notifier() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool Notifier::send(const std::string& message) const {
  return ::send(descriptor_, message.data(), message.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(message.size());
}

void Notifier::turn(hw::TimePoint now, const std::function<std::string()>& status) {
  if (descriptor_ < 0) return;
  if (watchdog_ && now >= feed_at_ && send("WATCHDOG=1")) feed_at_ = now + *watchdog_ / 2;
  if (!ready_) ready_ = send("READY=1");
  if (now < status_at_) return;
  status_at_ = now + kStatusEvery;
  std::string text = status();
  std::ranges::replace(text, '\n', ' ');  // a line is a message of its own
  if (text != status_ && send("STATUS=" + text)) status_ = std::move(text);
}

void Notifier::begin_reload(hw::TimePoint now) {
  if (descriptor_ < 0) return;
  const auto since = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch());
  send(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", since.count()));
}

void Notifier::end_reload() {
  if (descriptor_ >= 0) ready_ = send("READY=1");
}

void Notifier::stopping() {
  if (descriptor_ >= 0 && !stopping_) stopping_ = send("STOPPING=1");
}

hw::Milliseconds Notifier::longest_wait() const {
  if (descriptor_ < 0 || !watchdog_) return hw::Milliseconds::max();
  return std::max(std::chrono::duration_cast<hw::Milliseconds>(*watchdog_ / 4), hw::Milliseconds{1});
}

}  // namespace rch::cli
