#pragma once

#include <span>
#include <vector>

#include "engines/common/candidates.h"
#include "engines/common/port_choice.h"

namespace rch::engines::common {

/// Hands out the cables of one switch when ports own several LIDs: the LIDs of one port shall leave by
/// different systems, then different nodes, before counters decide (routing-engines 2.3).
class Spreader {
 public:
  Spreader(const ChoiceInput& input, SwitchId sw, const Candidates& candidates);

  /// Destination switch of what follows; false if it cannot be reached.
  bool aim_at(SwitchId to);
  /// Port for the next LID of `destination`, which hangs on the switch aimed at; counted if `count`. `after`:
  /// port that the previous LID of this destination got, 0 for the first; the scan starts behind it and
  /// wraps.
  std::uint8_t choose(std::size_t destination, std::uint8_t after, bool count);

 private:
  /// How often LIDs of one destination left towards a neighbour.
  struct Used {
    std::uint32_t neighbor = 0;
    std::uint32_t times = 0;
  };

  std::size_t scan_start(std::uint8_t after) const;
  std::size_t best_cable(std::span<const Used> used, std::size_t start) const;
  bool uses_system(std::span<const Used> used, Guid system) const;
  void note(std::size_t destination, std::uint32_t neighbor);
  std::span<Used> used(std::size_t destination) {
    return std::span(used_).subspan(destination << max_lmc_, used_count_[destination]);
  }

  const Candidates& candidates_;
  std::uint8_t max_lmc_;
  std::vector<std::size_t> open_;         ///< candidates for the switch aimed at, in scan order
  std::vector<Guid> system_;              ///< by neighbour
  std::vector<std::uint32_t> load_;       ///< by cable
  std::vector<Used> used_;                ///< by destination, 2^max_lmc places each
  std::vector<std::uint8_t> used_count_;  ///< places taken
};

}  // namespace rch::engines::common
