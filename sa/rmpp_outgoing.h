#pragma once

#include <vector>

#include "sa/rmpp_datagram.h"

namespace rch::sa {

/// The sender of one transfer. It starts with a window of one segment, sends what the receiver's window
/// allows, and after a silence the whole window again: receivers such as the kernel's acknowledge the end of
/// a window and what they see twice, never a gap.
class OutgoingTransfer {
 public:
  struct Timing {
    hw::Milliseconds first_timeout, longest_timeout;
    unsigned retries;         ///< silences in a row
    std::uint32_t in_flight;  ///< segments, whatever the receiver's window is
  };

  OutgoingTransfer(const hw::Datagram& header, std::vector<std::uint8_t> records, const Timing& timing);

  /// Not normal: the receiver breaks the protocol, with this status.
  RmppStatus on_ack(const RmppFields& ack, hw::TimePoint now);
  /// After a silence. False if it was one too many.
  bool go_back(hw::TimePoint now);
  /// From the first segment on, for a receiver that has none. One that has some acknowledges them again.
  void begin_again();
  /// Appends what the window allows.
  void fill_window(hw::TimePoint now, std::vector<hw::Datagram>& to_send);

  bool done() const { return acknowledged_ == segments_; }
  /// In a row, until now.
  unsigned silences() const { return silences_; }
  hw::TimePoint deadline() const { return deadline_; }
  const hw::Datagram& header() const { return header_; }
  std::size_t bytes() const { return records_.size(); }

 private:
  void start_timer(hw::TimePoint now);
  hw::Datagram segment(std::uint32_t number) const;

  hw::Datagram header_;
  std::vector<std::uint8_t> records_;
  Timing timing_;
  std::uint32_t segments_;
  std::uint32_t acknowledged_ = 0;
  std::uint32_t sent_ = 0;       ///< since the last silence
  std::uint32_t ever_sent_ = 0;  ///< highest
  std::uint32_t window_last_ = 1;
  unsigned silences_ = 0;
  hw::TimePoint deadline_;
};

}  // namespace rch::sa
