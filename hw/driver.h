#pragma once

#include <atomic>
#include <functional>
#include <optional>

#include "base/result.h"
#include "hw/machine.h"
#include "hw/smp_client.h"

namespace rch::hw {

/// Answers a request that came from the fabric by filling `datagram` in place; false leaves it unanswered.
using Responder = std::function<bool(Datagram& datagram)>;

/// Runs one machine after the other over a transport and blocks until each is finished. This is the only
/// place in hw/ that waits; a daemon has an event loop of its own instead.
class Driver {
 public:
  /// `transport` must outlive the driver.
  Driver(Transport& transport, const SmpOptions& options) : transport_(transport), client_(options) {}
  /// Waits for what is on the wire: a port must not be closed under it (ibsim-lab 0.5).
  ~Driver() { drain(); }
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  /// Returns when `machine` is finished and nothing is on the wire. Fails (fabric) when the transport cannot
  /// send, or when the machine was left because the operator wants to stop; whether the machine got its
  /// result is the machine's to say.
  Result<void> run(Machine& machine);
  /// Machines are stopped once `stop` is true. It must outlive the driver.
  void stop_when(const std::atomic<bool>& stop) { stop_ = &stop; }
  /// Shows our port as that of a subnet manager. From then on `responder` answers requests from the fabric
  /// while a machine runs.
  Result<void> become_manager(Responder responder);
  /// Requests from the fabric stay unanswered from now on.
  void resign() { responder_ = {}; }

  TimePoint now() const { return transport_.now(); }
  const SmpCounters& counters() const { return client_.counters(); }

 private:
  void drain();
  void exchange(TimePoint deadline, Machine* machine);
  void send(const Datagram& datagram, Milliseconds timeout);
  void answer_incoming();

  Transport& transport_;
  SmpClient client_;
  Responder responder_;
  std::optional<Error> broken_;
  const std::atomic<bool>* stop_ = nullptr;
};

}  // namespace rch::hw
