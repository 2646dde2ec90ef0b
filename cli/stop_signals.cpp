#include "cli/stop_signals.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace rch::cli {
namespace {

std::atomic<bool> stop_asked = false, reload_asked = false, reopen_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free, "written by a signal handler");

void ask_to_stop(int) {
  constexpr std::string_view kHeard = "rch: stopping as soon as the fabric can be left as it is\n";
  stop_asked = true;
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kHeard.data(), kHeard.size());
}

void ask_to_reload(int) { reload_asked = true; }
void ask_to_reopen(int) { reopen_asked = true; }

/// A wait for answers ends with the signal: no SA_RESTART.
void handle(int number, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(number, &action, nullptr);
}

}  // namespace

const std::atomic<bool>& stop_on_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) handle(number, ask_to_stop);
  return stop_asked;
}

std::atomic<bool>& reload_on_hangup() {
  handle(SIGHUP, ask_to_reload);
  return reload_asked;
}

std::atomic<bool>& reopen_on_usr1() {
  handle(SIGUSR1, ask_to_reopen);
  return reopen_asked;
}

}  // namespace rch::cli
