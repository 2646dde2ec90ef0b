#pragma once

#include <cstdint>
#include <vector>

#include "sa/rmpp_datagram.h"

namespace rch::sa {

/// The receiver of one transfer. It grants segments ahead of those it holds in order, and acknowledges when
/// half of them have come, at the end, and what it sees twice.
class IncomingTransfer {
 public:
  /// Segments granted ahead.
  static constexpr std::uint32_t kWindow = 64;

  /// `first` is segment 1; it is still to be given to on_data().
  IncomingTransfer(const hw::Datagram& first, std::size_t max_bytes) : first_(first), max_bytes_(max_bytes) {}

  struct Outcome {
    RmppStatus status = RmppStatus::normal;  ///< otherwise the sender breaks the protocol, or sends too much
    bool is_new = false;
    bool acknowledge = false;
  };
  Outcome on_data(const hw::Datagram& datagram);

  RmppFields ack() const;
  bool done() const { return in_order_ != 0 && in_order_ == last_; }
  const hw::Datagram& first() const { return first_; }
  std::size_t bytes() const { return data_.size(); }
  std::vector<std::uint8_t> take_data() { return std::move(data_); }

  hw::TimePoint deadline;  ///< when its owner gives up

 private:
  RmppStatus check(const RmppFields& data) const;
  void store(const hw::Datagram& datagram, std::uint32_t segment);

  hw::Datagram first_;
  std::size_t max_bytes_;
  std::vector<std::uint8_t> data_;
  std::uint32_t promised_ = 0;  ///< segments, by PayloadLength of the first; 0: unknown
  std::uint32_t last_ = 0;      ///< number of the last segment; 0: not seen
  std::uint32_t last_size_ = 0;
  std::uint32_t in_order_ = 0;  ///< segments 1.. that are here
  std::uint64_t ahead_ = 0;     ///< bit i: segment in_order_ + 1 + i is here
  std::uint32_t window_last_ = 1;
};

}  // namespace rch::sa
