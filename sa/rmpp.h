#pragma once

// RMPP: what does not fit into one datagram of subnet administration is cut into segments (IBA 13.6). All
// transfers of one port in both directions, as an event machine: no I/O, no clock, no callback.
//
// In: send(), on_datagram(), on_time(). Out: take_datagrams(), take_received(), deadline().
//
// A transfer out ends when its last segment is acknowledged, when the other side ends it, or after
// `retries` + 1 silences. A transfer in ends when all of it is here, or when nothing new came for `patience`.
// It is then remembered for `linger`: a sender that missed the last ACK gets it again, and what it repeats of
// an answer is not taken for a new one.
//
// The first segment of a request always begins a transfer. Processes number their requests from the same
// number on, so one that starts anew repeats the keys of one before it. A sender that merely missed an ACK
// asks twice then, as it does with a request of one datagram: whoever answers has to know whether the answer
// is on its way.
//
// A request and its answer may both be transfers, with the same key (double-sided): they do not touch each
// other. What the peer sends is untrusted: transfers and their bytes are bounded, in all and for each LID.

#include <deque>
#include <map>
#include <vector>

#include "sa/rmpp_incoming.h"
#include "sa/rmpp_outgoing.h"

namespace rch::sa {

struct RmppOptions {
  /// How long an ACK is waited for; doubles with each silence, up to the longest.
  hw::Milliseconds first_timeout{50}, longest_timeout{2000};
  unsigned retries = 8;
  hw::Milliseconds patience{10'000};
  hw::Milliseconds linger{1000};
  std::uint32_t in_flight = 1024;         ///< segments of one transfer, whatever the receiver's window is
  std::size_t transfers = 1024;           ///< in each direction
  std::size_t transfers_per_source = 16;  ///< of them, with one LID
  std::size_t bytes = std::size_t{256} << 20;
  std::size_t incoming_bytes = std::size_t{64} << 10;  ///< of one transfer in
  bool accept_responses = false;                       ///< for who asks; who answers takes requests only
};

struct RmppCounters {
  std::uint64_t started_out = 0, finished_out = 0, failed_out = 0;
  std::uint64_t started_in = 0, finished_in = 0, failed_in = 0;
  std::uint64_t refused = 0;       ///< transfers for which there was no room
  std::uint64_t segments_out = 0;  ///< resends included
  std::uint64_t silences = 0;      ///< of receivers
  std::uint64_t repeated = 0;      ///< DATA that was here before, or before its turn
  std::uint64_t unmatched = 0;     ///< datagrams of no transfer
};

class Rmpp {
 public:
  /// A request or an answer that came in segments.
  struct Received {
    hw::Datagram first;              ///< its first segment
    std::vector<std::uint8_t> data;  ///< behind the header, of all segments
  };

  explicit Rmpp(const RmppOptions& options = {}) : options_(options) {}

  /// True if send() of so many bytes to `lid` would find room.
  bool has_room(std::uint16_t lid, std::size_t bytes) const;
  /// The header that send() was given for a transfer to who sent `request` with this TransactionID; none if
  /// no such transfer is on its way.
  const hw::Datagram* sending_to(const hw::Datagram& request) const;
  /// The client asks again: what it has not acknowledged for a while goes out from its first segment on.
  void begin_again(const hw::Datagram& request, hw::TimePoint now);
  /// Ends a transfer without a word to its receiver, which has given it up.
  void forget(const hw::Datagram& request);
  /// `header` is a whole datagram but for the RMPP fields; its data does not go out. False, and nothing is
  /// sent, without room or while a transfer of the same key is on its way.
  bool send(const hw::Datagram& header, std::vector<std::uint8_t> records, hw::TimePoint now);
  /// False if `datagram` is not RMPP's, and still has to be looked at.
  bool on_datagram(const hw::Datagram& datagram, hw::TimePoint now);
  /// Due at deadline(); earlier calls do nothing.
  void on_time(hw::TimePoint now);

  std::vector<hw::Datagram> take_datagrams() { return std::exchange(to_send_, {}); }
  std::vector<Received> take_received() { return std::exchange(received_, {}); }
  /// When on_time() is due, or earlier; TimePoint::max() if nothing is on its way.
  hw::TimePoint deadline() const { return deadline_; }
  const RmppCounters& counters() const { return counters_; }

 private:
  using Outgoing = std::map<TransferKey, OutgoingTransfer>;
  using Incoming = std::map<TransferKey, IncomingTransfer>;
  struct Finished {
    TransferKey key;
    hw::TimePoint forget;
  };
  struct LastAck {
    RmppFields ack;
    hw::TimePoint forget;
  };

  void on_data(const hw::Datagram& datagram, hw::TimePoint now);
  void on_ack(const hw::Datagram& datagram, hw::TimePoint now);
  void on_end(const TransferKey& key);
  void forget_former(const TransferKey& key);
  IncomingTransfer* find_or_start(const hw::Datagram& datagram, hw::TimePoint now);
  void finish(Incoming::iterator transfer, hw::TimePoint now);
  void refuse(const hw::Datagram& datagram, RmppStatus status);
  void fill_window(OutgoingTransfer& transfer, hw::TimePoint now);
  void drop(Outgoing::iterator transfer);
  void drop(Incoming::iterator transfer);
  void make_room(std::uint16_t lid);
  void give_up(Outgoing::iterator transfer);
  void resend_or_give_up(hw::TimePoint now);
  void give_up_waiting(hw::TimePoint now);
  void forget_finished(hw::TimePoint now);

  RmppOptions options_;
  RmppCounters counters_;
  Outgoing outgoing_;
  Incoming incoming_;
  std::map<TransferKey, LastAck> last_acks_;  ///< of transfers that ended whole
  std::deque<Finished> finished_;             ///< their keys, in the order they are forgotten
  std::size_t bytes_ = 0;                     ///< of all transfers
  hw::TimePoint deadline_ = hw::TimePoint::max();
  std::vector<hw::Datagram> to_send_;
  std::vector<Received> received_;
};

}  // namespace rch::sa
