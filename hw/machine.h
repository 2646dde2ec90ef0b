#pragma once

#include <optional>

#include "hw/smp.h"

namespace rch::hw {

/// A state machine that asks the fabric. It neither blocks nor reads a clock. An exchange asks it for
/// requests while the client has room, and brings the answers in any order.
class Machine {
 public:
  virtual ~Machine() = default;

  /// The next request. None: it waits for answers or for deadline(), or is finished. A failed machine has no
  /// more requests, and its queued ones may be cancelled.
  virtual std::optional<SmpRequest> next_request(TimePoint now) = 0;
  /// `tag` is that of a request of this machine. Each request gets one answer.
  virtual void on_answer(RequestTag tag, const SmpAnswer& answer) = 0;
  /// When next_request() is due although no answer comes; TimePoint::max() if never.
  virtual TimePoint deadline() const { return TimePoint::max(); }
  /// True once it has its result, or failed. Answers may still come after a failure.
  virtual bool finished() const = 0;
  /// The operator wants to stop. Returns true if the machine may be left as it is; else it goes on to where
  /// the fabric can be left, and finishes there.
  virtual bool stop() { return true; }
};

}  // namespace rch::hw
