#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "hw/transport.h"

namespace rch::hw {

/// Requests that were refused in one interval.
struct RequestsRefused {
  std::uint64_t count = 0;
  Datagram first{};  ///< of them
};

/// Bounds the requests of the fabric that are looked at: so many of one source, and of all, in an interval.
/// Whoever sends more is not answered until the next interval.
class RequestQuota {
 public:
  static constexpr std::chrono::seconds kInterval{10};
  static constexpr unsigned kOfOneSource = 500;
  static constexpr unsigned kOfAll = 20000;

  /// False: too many came before it.
  bool admits(const Datagram& request);
  /// Once an interval is over, what was refused in it; none: nothing was.
  std::optional<RequestsRefused> on_time(TimePoint now);

 private:
  TimePoint end_{};
  unsigned admitted_ = 0;
  std::unordered_map<std::uint64_t, unsigned> sources_;  ///< no more than requests that were admitted
  RequestsRefused refused_;
};

}  // namespace rch::hw
