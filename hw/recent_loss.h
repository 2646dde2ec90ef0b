#pragma once

#include <algorithm>

#include "hw/transport.h"

namespace rch::hw {

/// The most attempts that an answered request took lately: the measure of the loss. A manager runs for
/// months, and loss ends.
class RecentLoss {
 public:
  void note(unsigned attempts, TimePoint now) {
    turn(now);
    current_ = std::max(current_, attempts);
  }
  /// Of the last 10 to 20 seconds.
  unsigned most_attempts(TimePoint now) {
    turn(now);
    return std::max(current_, before_);
  }

 private:
  static constexpr Milliseconds kSpan{10000};

  void turn(TimePoint now) {
    if (now < since_ + kSpan) return;
    before_ = now < since_ + 2 * kSpan ? current_ : 1;
    current_ = 1;
    since_ = now;
  }

  unsigned current_ = 1, before_ = 1;
  TimePoint since_{};
};

}  // namespace rch::hw
