#pragma once

#include <atomic>

namespace rch::cli {

/// From now on SIGINT, SIGTERM and SIGHUP set the flag that is returned, instead of ending the process
/// halfway through a commit. A reader of our output that goes away does not end it either.
const std::atomic<bool>& stop_on_signals();

/// From now on SIGHUP sets the flag that is returned, and does not stop. Whoever acts on it clears it.
std::atomic<bool>& reload_on_hangup();

/// The same for SIGUSR1: the log file shall be opened again.
std::atomic<bool>& reopen_on_usr1();

}  // namespace rch::cli
