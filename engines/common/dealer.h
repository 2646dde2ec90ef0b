#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "engines/common/candidates.h"

namespace rch::engines::common {

/// Hands out the ports of one switch for LMC 0: always the one with the lowest counter, the first in scan
/// order among equals (routing-engines 2.2). The ports that share the lowest counter make a round and are
/// dealt like cards, one look at the counters per round instead of one per LID ("water-filling", 14.3).
template <std::size_t W>
class Dealer {
 public:
  /// `loads`: where the counters start, by port number; empty: at 0.
  Dealer(std::span<const Candidates::Cable> cables, std::span<const std::uint32_t> loads) : cables_(cables) {
    std::ranges::copy(loads, load_.begin());
  }

  /// Cables to choose from until further notice; false if there is none.
  bool choose_from(const CandidateSet<W>& candidates) {
    if (candidates != candidates_) {  // else the round goes on: only it moved these counters
      count_dealt();
      candidates_ = candidates;
      round_size_ = 0;
      level_ = false;
      only_ = candidates_.is_single() ? cables_[candidates_.first()].port.value : kNoPath;
    }
    return !candidates_.none();
  }
  /// The port if there is one candidate, else kNoPath.
  std::uint8_t only() const { return only_; }
  /// So many get it.
  void deal_only(std::size_t count) { load_[only_] += static_cast<std::uint32_t>(count); }
  /// The port that comes next. There must be candidates.
  std::uint8_t next() {
    if (only_ != kNoPath) return only_;
    if (dealt_ == round_size_) start_round();
    return round_[dealt_];
  }
  /// The next ports in order, at least one and at most `wanted`, and counts them. There must be candidates.
  std::span<const std::uint8_t> deal(std::size_t wanted) {
    if (dealt_ == round_size_) start_round();
    const std::size_t first = dealt_;
    dealt_ = std::min(round_size_, first + wanted);
    return std::span<const std::uint8_t>(round_).subspan(first, dealt_ - first);
  }

 private:
  void count_dealt() {
    for (std::size_t i = 0; i < dealt_; ++i) ++load_[round_[i]];
    dealt_ = 0;
  }

  void start_round() {
    count_dealt();
    if (level_) return;  // and so they are again
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    candidates_.for_each([&](std::size_t c) {
      const std::uint8_t port = cables_[c].port.value;
      if (load_[port] > least) return;
      if (load_[port] < least) round_size_ = 0;
      least = load_[port];
      round_[round_size_++] = port;
    });
    level_ = round_size_ == candidates_.size();
  }

  std::span<const Candidates::Cable> cables_;
  CandidateSet<W> candidates_;
  std::array<std::uint8_t, W * 64> round_{};  ///< ports at the lowest counter when the round began
  std::uint8_t only_ = kNoPath;
  std::size_t round_size_ = 0;
  std::size_t dealt_ = 0;                  ///< of the round, not yet in load_
  bool level_ = false;                     ///< the round has all candidates
  std::array<std::uint32_t, 256> load_{};  ///< by port
};

}  // namespace rch::engines::common
