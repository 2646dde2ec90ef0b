#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "engines/minhop/candidates.h"

namespace rch::engines::minhop {

/// Hands out the cables of one switch for LMC 0: always the one with the lowest counter, the first in scan
/// order among equals (routing-engines 2.2). The cables that share the lowest counter are dealt like cards,
/// one look at the counters per round instead of one per LID ("water-filling", 14.3).
template <std::size_t W>
class Dealer {
 public:
  /// Cables to choose from until further notice.
  void choose_from(const CandidateSet<W>& candidates) {
    if (candidates == candidates_) return;  // counters of these moved by our own dealing alone
    candidates_ = candidates;
    lowest_ = {};
  }
  bool stuck() const { return candidates_.none(); }

  /// The cable that comes next. There must be candidates.
  std::size_t next() {
    if (lowest_.none()) find_lowest();
    return lowest_.first();
  }
  /// The same, and counts it.
  std::size_t deal() {
    const std::size_t cable = next();
    lowest_.erase(cable);
    ++load_[cable];
    return cable;
  }

 private:
  void find_lowest() {
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    candidates_.for_each([&](std::size_t c) {
      if (load_[c] < least) {
        least = load_[c];
        lowest_ = {};
      }
      if (load_[c] == least) lowest_.insert(c);
    });
  }

  CandidateSet<W> candidates_;
  CandidateSet<W> lowest_;  ///< candidates at the lowest counter that were not dealt in this round
  std::array<std::uint32_t, W * 64> load_{};
};

}  // namespace rch::engines::minhop
