#pragma once

#include <vector>

#include "hw/transport.h"

namespace rch::hw {

/// Answers the datagrams of one class beside the machines of an exchange, as an event machine: no I/O, no
/// clock, no waiting. An exchange brings the events and takes what is to be sent.
class Service {
 public:
  virtual ~Service() = default;

  /// A request, an answer, or a datagram of ours that nobody answered (its `status` is not 0).
  virtual void on_datagram(const Datagram& datagram, TimePoint now) = 0;
  /// Follows every batch of datagrams, and comes at deadline() at the latest.
  virtual void on_time(TimePoint now) = 0;
  /// Appends what is to be sent, in this order.
  virtual void take_datagrams(std::vector<OutgoingDatagram>& out) = 0;
  /// When on_time() is due although nothing arrives; TimePoint::max() if never.
  virtual TimePoint deadline() const = 0;
};

}  // namespace rch::hw
