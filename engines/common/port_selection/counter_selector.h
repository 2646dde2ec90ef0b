#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "engines/common/port_selection/candidates.h"

namespace rch::engines::common {

/// Selects output ports of one switch for LMC 0: always the port with the lowest load counter, of equals the
/// first in scan order (OpenSM's osm_switch.c). The ports that share the lowest counter make a round. A round
/// is handed out in order, so the counters are compared once per round instead of once per LID
/// ("water-filling", 14.3).
template <std::size_t W>
class CounterSelector {
 public:
  /// `loads`: initial counters, by port number; empty: 0.
  CounterSelector(std::span<const Candidates::OutputPort> outputs, std::span<const std::uint32_t> loads)
      : outputs_(outputs) {
    std::ranges::copy(loads, load_.begin());
  }

  /// Sets the candidates of the following calls.
  void choose_from(const CandidateSet<W>& candidates) {
    settled_ = false;
    if (candidates == candidates_) return;  // the round goes on: only it raised these counters
    count_round();
    candidates_ = candidates;
    round_size_ = 0;
    level_ = false;
    only_ = candidates_.is_single() ? outputs_[candidates_.first()].port.value : kNoPath;
  }
  /// The port if there is one candidate, else kNoPath.
  std::uint8_t only() const { return only_; }
  /// Counts entries that leave by the only candidate.
  void count_only(std::size_t entries) { load_[only_] += static_cast<std::uint32_t>(entries); }
  /// Counts and returns the next ports, at least one and at most `most`. There must be candidates.
  std::span<const std::uint8_t> next(std::size_t most) {
    if (used_ == round_size_) start_round();
    const std::size_t first = used_;
    used_ = std::min(round_size_, first + most);
    return std::span<const std::uint8_t>(round_).subspan(first, used_ - first);
  }

  /// The port that would be next of these candidates, of which there must be some. Does not count it. Call
  /// choose_from() again before next().
  [[gnu::always_inline]] std::uint8_t look_up(const CandidateSet<W>& candidates) {
    if (candidates.is_single()) return outputs_[candidates.first()].port.value;
    if (!settled_) settle();
    Found& found = found_[candidates.hash() % found_.size()];
    if (found.port == kNoPath || found.candidates != candidates)
      found = {candidates, least_loaded(candidates)};
    return found.port;
  }

 private:
  struct Found {
    CandidateSet<W> candidates;
    std::uint8_t port = kNoPath;
  };

  void count_round() {
    for (std::size_t i = 0; i < round_size_; ++i) load_[round_[i]] += rounds_ + (i < used_ ? 1 : 0);
    rounds_ = 0;
    used_ = 0;
  }

  /// Makes load_ exact until the next call of next().
  void settle() {
    choose_from({});
    found_.fill({});
    settled_ = true;
  }

  std::uint8_t least_loaded(const CandidateSet<W>& candidates) const {
    std::uint8_t best = kNoPath;
    candidates.for_each([&](std::size_t c) {
      const std::uint8_t port = outputs_[c].port.value;
      if (best == kNoPath || load_[port] < load_[best]) best = port;
    });
    return best;
  }

  void start_round() {
    if (level_) {  // all counters are equal again
      ++rounds_;
      used_ = 0;
      return;
    }
    count_round();
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    candidates_.for_each([&](std::size_t c) {
      const std::uint8_t port = outputs_[c].port.value;
      if (load_[port] > least) return;
      if (load_[port] < least) round_size_ = 0;
      least = load_[port];
      round_[round_size_++] = port;
    });
    level_ = round_size_ == candidates_.size();
  }

  std::span<const Candidates::OutputPort> outputs_;
  CandidateSet<W> candidates_;
  std::array<std::uint8_t, W * 64> round_{};  ///< ports at the lowest counter when the round began
  std::uint8_t only_ = kNoPath;
  std::size_t round_size_ = 0;
  std::size_t used_ = 0;                   ///< ports of this round, not yet in load_
  std::uint32_t rounds_ = 0;               ///< equal rounds before it, not yet in load_
  bool level_ = false;                     ///< the round has all candidates
  bool settled_ = false;                   ///< load_ and found_ are exact
  std::array<Found, 8> found_{};           ///< what look_up() has found
  std::array<std::uint32_t, 256> load_{};  ///< by port
};

}  // namespace rch::engines::common
