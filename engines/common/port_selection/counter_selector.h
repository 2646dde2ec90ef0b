#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "engines/common/port_selection/candidates.h"

namespace rch::engines::common {

/// Hands out the ports of one switch for LMC 0: always the one with the lowest counter, the first in scan
/// order among equals (routing-engines 2.2). The ports that share the lowest counter make a round and are
/// dealt like cards, one look at the counters per round instead of one per LID ("water-filling", 14.3).
template <std::size_t W>
class CounterSelector {
 public:
  /// `loads`: where the counters start, by port number; empty: at 0.
  CounterSelector(std::span<const Candidates::Cable> cables, std::span<const std::uint32_t> loads)
      : cables_(cables) {
    std::ranges::copy(loads, load_.begin());
  }

  /// Cables to choose from until further notice.
  void choose_from(const CandidateSet<W>& candidates) {
    settled_ = false;
    if (candidates == candidates_) return;  // the round goes on: only it moved these counters
    count_dealt();
    candidates_ = candidates;
    round_size_ = 0;
    level_ = false;
    only_ = candidates_.is_single() ? cables_[candidates_.first()].port.value : kNoPath;
  }
  /// The port if there is one candidate, else kNoPath.
  std::uint8_t only() const { return only_; }
  /// So many get it.
  void deal_only(std::size_t count) { load_[only_] += static_cast<std::uint32_t>(count); }
  /// The next ports in order, at least one and at most `wanted`, and counts them. There must be candidates.
  std::span<const std::uint8_t> deal(std::size_t wanted) {
    if (dealt_ == round_size_) start_round();
    const std::size_t first = dealt_;
    dealt_ = std::min(round_size_, first + wanted);
    return std::span<const std::uint8_t>(round_).subspan(first, dealt_ - first);
  }

  /// The port that would come next of these, which must not be empty; it is not counted. Afterwards
  /// choose_from() has to be called before anything is dealt.
  std::uint8_t look_up(const CandidateSet<W>& candidates) {
    if (candidates.is_single()) return cables_[candidates.first()].port.value;
    if (!settled_) settle();
    Seen& seen = seen_[candidates.hash() % seen_.size()];
    if (seen.port == kNoPath || seen.candidates != candidates) seen = {candidates, lightest(candidates)};
    return seen.port;
  }

 private:
  struct Seen {
    CandidateSet<W> candidates;
    std::uint8_t port = kNoPath;
  };

  void count_dealt() {
    for (std::size_t i = 0; i < round_size_; ++i) load_[round_[i]] += rounds_ + (i < dealt_ ? 1 : 0);
    rounds_ = 0;
    dealt_ = 0;
  }

  /// Counters are true from here on, until something is dealt again.
  void settle() {
    choose_from({});
    seen_.fill({});
    settled_ = true;
  }

  std::uint8_t lightest(const CandidateSet<W>& candidates) const {
    std::uint8_t best = kNoPath;
    candidates.for_each([&](std::size_t c) {
      const std::uint8_t port = cables_[c].port.value;
      if (best == kNoPath || load_[port] < load_[best]) best = port;
    });
    return best;
  }

  void start_round() {
    if (level_) {  // and so they are again
      ++rounds_;
      dealt_ = 0;
      return;
    }
    count_dealt();
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
  std::uint32_t rounds_ = 0;               ///< like it before, not yet in load_ either
  bool level_ = false;                     ///< the round has all candidates
  bool settled_ = false;                   ///< load_ is true, and seen_ with it
  std::array<Seen, 8> seen_{};             ///< what was looked up since
  std::array<std::uint32_t, 256> load_{};  ///< by port
};

}  // namespace rch::engines::common
