#pragma once

// How many requests of one source are answered (docs/subnet-administration.md, Who may see what).

#include <unordered_map>

#include "fabric/fabric.h"
#include "hw/transport.h"

namespace rch::sa {

/// A bucket of tokens for each port: a request takes one, and `rate` come back in a second. A full bucket has
/// those of five seconds, since hosts that start a job ask much at once.
class RequestRates {
 public:
  static constexpr std::uint32_t kBurstSeconds = 5;

  /// False: the port has used up what it may send. `rate` is not 0.
  bool take(Guid port, std::uint32_t rate, hw::TimePoint now);
  /// True at most every ten seconds for a port that take() refused: one line of the log tells of all.
  bool is_news(Guid port, hw::TimePoint now);
  /// Ports that are not in `fabric` are forgotten.
  void follow(const fabric::Fabric& fabric);
  std::size_t size() const { return buckets_.size(); }

 private:
  struct Bucket {
    double tokens;
    hw::TimePoint filled;  ///< when `tokens` was right
    hw::TimePoint quiet_until{};
  };
  std::unordered_map<Guid, Bucket> buckets_;
};

}  // namespace rch::sa
