#pragma once

#include <deque>
#include <vector>

#include "hw/transport.h"
#include "sa/subscriptions.h"

namespace rch::sa {

struct ReportCounters {
  std::uint64_t reported = 0;    ///< acknowledged
  std::uint64_t unanswered = 0;  ///< given up
  std::uint64_t dropped = 0;     ///< for want of room
};

/// Delivers Reports: each is sent until it is answered, or `kTries` times. An event machine as Rmpp is.
class Reports {
 public:
  /// How many may be sent and not answered, and how many may wait for that.
  void limit(std::size_t open, std::size_t waiting) { most_open_ = open, most_waiting_ = waiting; }
  void send(const Notice& notice, const ReportAddress& to, hw::TimePoint now);
  /// False if it is not the answer to a Report, nor a Report that came back.
  bool on_datagram(const hw::Datagram& datagram);
  void on_time(hw::TimePoint now);
  void take_datagrams(std::vector<hw::OutgoingDatagram>& out) {
    std::ranges::move(std::exchange(out_, {}), std::back_inserter(out));
  }
  /// Who did not answer a Report, since the last call.
  std::vector<ReportAddress> take_silent() { return std::exchange(silent_, {}); }
  hw::TimePoint deadline() const;
  const ReportCounters& counters() const { return counters_; }

 private:
  struct Open {
    hw::Datagram datagram;
    unsigned tries = 0;
    hw::TimePoint due{};
  };

  void send_open(Open& open, hw::TimePoint now);
  void fill(hw::TimePoint now);

  std::size_t most_open_ = 64, most_waiting_ = 16384;
  std::vector<Open> open_;  ///< sent and not answered
  std::deque<hw::Datagram> waiting_;
  std::uint32_t transaction_ = 0;
  std::vector<hw::OutgoingDatagram> out_;
  std::vector<ReportAddress> silent_;
  ReportCounters counters_;
};

}  // namespace rch::sa
