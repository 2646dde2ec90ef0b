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

  /// Runs `task` to its end, and its jobs in this thread.
  template <class T>
  T wait(Task<T> task) {
    task.start();
    for (carry_out(); !task.done(); carry_out()) receive();
    return task.take();
  }
  /// Machines are stopped once `stop` is true. It must outlive the driver.
  void stop_when(const std::atomic<bool>& stop) { stop_ = &stop; }

  /// One round of wait(): carries out what the exchange wants done now.
  void carry_out();
  /// The other half of it: waits for an arrival, until deadline().
  void receive();

 private:
  Transport& transport_;
  const std::atomic<bool>* stop_ = nullptr;
};

}  // namespace rch::hw
