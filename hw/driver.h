#pragma once

#include <atomic>

#include "hw/exchange.h"

namespace rch::hw {

/// An exchange over a transport, for commands that do one thing and end: it blocks until a task is done.
/// Nothing else in hw/ waits or reads a clock.
class Driver : public Exchange {
 public:
  /// `transport` must outlive the driver.
  Driver(Transport& transport, const SmpOptions& options)
      : Exchange(options, transport.now()), transport_(transport) {}

  /// Runs `task` to its end.
  template <class T>
  T wait(Task<T> task) {
    task.start();
    for (carry_out(); !task.done(); carry_out()) receive();
    return task.take();
  }
  /// Jobs run in this thread unless `runner` takes them; it tells of their end with on_job_done(), in the
  /// thread of the driver.
  void run_jobs_with(std::function<void(Job)> runner) { run_job_ = std::move(runner); }
  /// `keep` puts on the disk what services give it; without one nothing is kept.
  void keep_with(std::function<Result<void>(const Keeping&)> keep) { keep_ = std::move(keep); }
  /// Machines are stopped once `stop` is true. It must outlive the driver.
  void stop_when(const std::atomic<bool>& stop) { stop_ = &stop; }

  /// One round of wait(): carries out what the exchange wants done now.
  void carry_out();
  /// The other half of it: waits for an arrival, until deadline() or `limit`.
  void receive(TimePoint limit = TimePoint::max());

 private:
  bool is_outdated(const Datagram& datagram) const;

  Transport& transport_;
  std::function<void(Job)> run_job_ = [this](const Job& job) { job.run(), on_job_done(job.id); };
  std::function<Result<void>(const Keeping&)> keep_ = [](const Keeping&) { return Result<void>(); };
  const std::atomic<bool>* stop_ = nullptr;
};

}  // namespace rch::hw
