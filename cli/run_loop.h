#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "cli/control_socket.h"
#include "cli/live.h"

namespace rch::cli {

/// The loop of a process that stays: carries out what the exchange wants, over the port and with threads for
/// its jobs, and answers operators meanwhile.
class RunLoop {
 public:
  /// All must outlive it. `reload` is called when `reload_asked` is set.
  RunLoop(Connection& connection, ControlSocket& control, std::atomic<bool>& reload_asked,
          std::function<void()> reload);
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
  std::atomic<bool>& reload_asked_;
  std::function<void()> reload_;
  int done_event_;
  std::mutex mutex_;
  std::vector<hw::JobId> done_;
  std::exception_ptr failed_;  ///< of a job: memory that is not to be had
  std::map<hw::JobId, std::thread> threads_;
};

}  // namespace rch::cli
