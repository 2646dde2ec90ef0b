#pragma once

#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "cli/control_socket.h"
#include "cli/live.h"
#include "cli/notifier.h"

namespace rch::cli {

/// The loop of a process that stays: carries out what the exchange wants, over the port and with threads for
/// its jobs, answers operators and tells the service manager that it goes on.
class RunLoop {
 public:
  struct Hooks {
    std::function<void()> turn;           ///< called in each turn
    std::function<std::string()> status;  ///< what the service manager shows
  };
  /// All must outlive it.
  RunLoop(Connection& connection, ControlSocket& control, Notifier& notifier, Hooks hooks);
  ~RunLoop();
  RunLoop(const RunLoop&) = delete;
  RunLoop& operator=(const RunLoop&) = delete;

  Result<void> run(hw::Task<Result<void>> task);

 private:
  void start(const hw::Job& job);
  void wait() const;
  void take_done();

  Connection& connection_;
  ControlSocket& control_;
  Notifier& notifier_;
  Hooks hooks_;
  int done_event_;
  std::mutex mutex_;
  std::vector<hw::JobId> done_;
  std::exception_ptr failed_;  ///< of a job: memory that is not to be had
  std::map<hw::JobId, std::thread> threads_;
};

}  // namespace rch::cli
