#pragma once

#include <algorithm>
#include <cmath>

#include "hw/transport.h"

namespace rch::hw {

/// The requests that were answered in the last 10 to 20 seconds: the share of their attempts that was lost,
/// and how soon they were answered. A manager runs for months, and loss ends.
class RecentAnswers {
 public:
  using Delay = TimePoint::duration;

  /// A request was answered that took so many attempts, `delay` after the last of them.
  void note(unsigned attempts, Delay delay, TimePoint now) {
    turn(now);
    current_.attempts += attempts;
    current_.lost += attempts - 1;
    current_.longest = std::max(current_.longest, delay);
  }
  /// Attempts after which loss alone explains silence with a chance of 10^-8; 1: nothing was lost.
  unsigned attempts_to_dead(TimePoint now) {
    turn(now);
    const double lost = current_.lost + before_.lost;
    if (lost == 0) return 1;
    const double share = lost / (kWithoutLoss + current_.attempts + before_.attempts);
    return static_cast<unsigned>(std::ceil(std::log(1e-8) / std::log(share)));
  }
  /// The longest delay.
  Delay longest_delay(TimePoint now) {
    turn(now);
    return std::max(current_.longest, before_.longest);
  }

 private:
  static constexpr Milliseconds kSpan{10000};
  /// Attempts that are taken for answered before any is. A cable that goes down for a moment takes a few
  /// attempts of one or two requests, and is no loss.
  static constexpr double kWithoutLoss = 16;

  struct Counts {
    double attempts = 0, lost = 0;
    Delay longest{};
  };

  void turn(TimePoint now) {
    if (now < since_ + kSpan) return;
    before_ = now < since_ + 2 * kSpan ? current_ : Counts{};
    current_ = {};
    since_ = now;
  }

  Counts current_, before_;
  TimePoint since_{};
};

}  // namespace rch::hw
