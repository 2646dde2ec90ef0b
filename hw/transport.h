#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "hw/mad.h"

namespace rch::hw {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using Milliseconds = std::chrono::milliseconds;

/// Q_Key of queue pair 1.
inline constexpr std::uint32_t kGeneralQueueKey = 0x80010000;

/// The global route header (GRH) of a datagram. Its other end: who sent a received one, who gets another.
struct GlobalRoute {
  std::array<std::uint8_t, 16> gid{};
  std::uint8_t gid_index = 0;  ///< of our port
  std::uint8_t traffic_class = 0;
  std::uint32_t flow_label = 0;

  friend bool operator==(const GlobalRoute&, const GlobalRoute&) = default;
};

/// One datagram in either direction, with the address that goes with it. A copy of a request with another MAD
/// in it is addressed to who asked.
struct Datagram {
  Mad mad{};
  int status = 0;  ///< received: 0, or the errno of a send that nobody answered (only the first 24
                   ///< bytes of `mad` are valid then)
  std::uint16_t lid = 0xFFFF;  ///< destination or source; permissive for directed routes
  std::uint32_t queue_pair = 0;
  std::uint8_t service_level = 0;
  TimePoint arrived = TimePoint::max();  ///< received: when, if the transport tells
  // Fields of datagrams to send to other queue pairs than 0.
  std::uint16_t pkey_index = 0;  ///< into the P_Keys of our port
  std::uint32_t queue_key = kGeneralQueueKey;
  std::optional<GlobalRoute> global_route{};  ///< none: it has no GRH
};

/// A datagram to send. The transport reports its loss after `timeout`, if ever; zero: it is an answer itself.
struct OutgoingDatagram {
  Datagram datagram;
  Milliseconds timeout;
};

/// The way to the fabric. Production is UmadTransport; tests put a fabric in memory behind it.
///
/// Used from one thread. The transport neither resends nor matches: it may report an unanswered request at
/// once, after `timeout`, or never (ibsim's umad2sim.c), and may deliver answers late or twice.
class Transport {
 public:
  virtual ~Transport() = default;

  /// `timeout` is how long an answer is waited for; zero for datagrams that are answers themselves.
  virtual Result<void> send(const Datagram& datagram, Milliseconds timeout) = 0;
  /// Appends what has arrived; waits until `deadline` for the first one.
  virtual void receive(std::vector<Datagram>& arrived, TimePoint deadline) = 0;
  /// Shows the port as one with a subnet manager (IsSM) until the transport is destroyed.
  /// Fails (fabric) when another one holds it.
  virtual Result<void> set_is_sm() = 0;
  /// The time that deadlines are measured in.
  virtual TimePoint now() const = 0;
};

}  // namespace rch::hw
