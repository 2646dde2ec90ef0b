#pragma once

#include <string>
#include <vector>

#include "hw/transport.h"

namespace rch::hw {

/// What is to be on the disk before a datagram that was taken after it is sent.
struct Keeping {
  bool afresh = false;  ///< in place of all that was kept before
  std::string bytes{};

  bool empty() const { return !afresh && bytes.empty(); }
};

/// Answers the datagrams of one class beside the machines of an exchange, as an event machine: no I/O, no
/// clock, no waiting. An exchange brings the events and takes what is to be sent.
class Service {
 public:
  virtual ~Service() = default;

  /// A request, an answer, or a datagram of ours that nobody answered (its `status` is not 0).
  virtual void on_datagram(const Datagram& datagram, TimePoint now) = 0;
  /// Follows every batch of datagrams, and comes at deadline() at the latest.
  virtual void on_time(TimePoint now) = 0;
  /// Appends what is to be sent now, in this order.
  virtual void take_datagrams(std::vector<OutgoingDatagram>& out, TimePoint now) = 0;
  /// What it has to keep. Comes before take_datagrams().
  virtual Keeping take_records() { return {}; }
  /// What it gave last could not be kept.
  virtual void on_not_kept() {}
  /// When on_time() is due although nothing arrives; TimePoint::max() if never.
  virtual TimePoint deadline() const = 0;
};

}  // namespace rch::hw
