#include "cli/stop_signals.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace rch::cli {
namespace {

std::atomic<bool> stop_asked = false, reload_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free, "written by a signal handler");

void ask_to_stop(int) {
  constexpr std::string_view kHeard = "rch: stopping as soon as the fabric can be left as it is\n";
  stop_asked = true;
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kHeard.data(), kHeard.size());
}

void ask_to_reload(int) { reload_asked = true; }

}  // namespace

const std::atomic<bool>& stop_on_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  struct sigaction action = {};
  action.sa_handler = ask_to_stop;  // no SA_RESTART: a wait for answers ends
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaction(number, &action, nullptr);
  return stop_asked;
}

std::atomic<bool>& reload_on_hangup() {
  struct sigaction action = {};
  action.sa_handler = ask_to_reload;  // no SA_RESTART: a wait ends
  sigaction(SIGHUP, &action, nullptr);
  return reload_asked;
}

}  // namespace rch::cli
