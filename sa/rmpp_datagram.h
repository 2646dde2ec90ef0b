#pragma once

// The fields that RMPP adds to a datagram of subnet administration (IBA 13.6), and the datagrams that carry
// no data: ACK, STOP, ABORT.

#include <compare>
#include <cstdint>

#include "hw/transport.h"
#include "sa/mad.h"

namespace rch::sa {

inline constexpr std::uint8_t kRmppVersion = 1;
/// RRespTime of a sender that promises none.
inline constexpr std::uint8_t kNoResponseTime = 31;
/// SM_Key to component mask: what PayloadLength counts of each segment besides the data.
inline constexpr std::size_t kSegmentHeader = kSegmentSize - kDataSize;

enum class RmppType : std::uint8_t { data = 1, ack = 2, stop = 3, abort = 4 };

namespace rmpp_flags {
inline constexpr std::uint8_t kActive = 1, kFirst = 2, kLast = 4;
}  // namespace rmpp_flags

/// Why a transfer ended. 1 goes with STOP, the others with ABORT.
enum class RmppStatus : std::uint8_t {
  normal = 0,
  no_resources = 1,
  took_too_long = 118,
  inconsistent_last = 119,   ///< flag Last against PayloadLength
  inconsistent_first = 120,  ///< flag First against SegmentNumber
  bad_type = 121,
  window_too_small = 122,
  segment_too_big = 123,
  illegal_status = 124,
  unsupported_version = 125,
  too_many_retries = 126,
};

/// What a transfer is known by. The kernel of a host puts a number of the asking process into the upper half
/// of the transaction, so the lower half alone would confuse two processes of one host.
struct TransferKey {
  std::uint16_t lid = 0;
  std::uint32_t queue_pair = 0;
  std::uint64_t transaction = 0;

  friend auto operator<=>(const TransferKey&, const TransferKey&) = default;
};

TransferKey transfer_key(const hw::Datagram& datagram);

struct RmppFields {
  RmppType type = RmppType::data;
  std::uint8_t flags = rmpp_flags::kActive;
  RmppStatus status = RmppStatus::normal;
  std::uint32_t segment = 0;
  std::uint32_t length = 0;  ///< PayloadLength of DATA, NewWindowLast of ACK

  bool first() const { return (flags & rmpp_flags::kFirst) != 0; }
  bool last() const { return (flags & rmpp_flags::kLast) != 0; }
};

RmppFields rmpp_fields(const hw::Mad& mad);
/// Sets the version too.
void set_rmpp_fields(hw::Mad& mad, const RmppFields& fields);

/// The header of `datagram` back to its sender, R bit inverted, without data.
hw::Datagram rmpp_answer(const hw::Datagram& datagram, const RmppFields& fields);
/// ABORT, or STOP if that goes with `status`.
RmppFields rmpp_end(RmppStatus status);

}  // namespace rch::sa
