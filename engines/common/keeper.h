#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "engines/common/candidates.h"

namespace rch::engines::common {

/// Hands out the ports of one switch for LMC 0 where tables are in force: the port that is held if it still
/// leads on (routing-engines 1.8), else the one with the lowest counter, the first in scan order among
/// equals.
template <std::size_t W>
class Keeper {
 public:
  explicit Keeper(std::span<const Candidates::Cable> cables) : cables_(cables) {
    cable_at_.fill(kNone);
    for (std::size_t c = 0; c < cables.size(); ++c)
      cable_at_[cables[c].port.index()] = static_cast<std::uint8_t>(c);
  }

  /// `candidates` must not be empty.
  std::uint8_t port(const CandidateSet<W>& candidates, std::uint8_t held, bool count) {
    const std::size_t kept = cable_at_[held];
    const std::size_t cable = kept != kNone && candidates.contains(kept) ? kept : lightest(candidates);
    load_[cable] += count ? 1 : 0;
    return cables_[cable].port.value;
  }

 private:
  static constexpr std::uint8_t kNone = 255;  ///< a switch has fewer cables

  std::size_t lightest(const CandidateSet<W>& candidates) const {
    std::size_t best = 0;
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    candidates.for_each([&](std::size_t c) {
      if (load_[c] >= least) return;
      least = load_[c];
      best = c;
    });
    return best;
  }

  std::span<const Candidates::Cable> cables_;
  std::array<std::uint8_t, 256> cable_at_{};  ///< by port
  std::array<std::uint32_t, 256> load_{};     ///< by cable
};

}  // namespace rch::engines::common
