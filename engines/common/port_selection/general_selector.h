#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engines/common/port_selection/candidates.h"
#include "engines/common/port_selection/glibc_random.h"
#include "engines/common/port_selection/select_ports.h"

namespace rch::engines::common {

/// Hands out the cables of one switch one LID at a time, by the rules that need a look at every candidate:
/// the LIDs of one port shall leave by different systems, then different nodes, before counters decide
/// (routing-engines 2.3); ports are kept (1.8), drawn or shifted (1.7); some are not counted (1.6).
class GeneralSelector {
 public:
  /// Keeps references.
  GeneralSelector(const SelectionInput& input, SwitchId sw, const Candidates& candidates,
                  GlibcRandom& random);

  /// Destination switch of what follows; false if it cannot be reached.
  bool aim_at(SwitchId to);

  struct Turn {
    std::size_t destination;           ///< that hangs on the switch aimed at
    std::uint8_t previous = 0;         ///< port that the LID before this one got; 0 for the first
    std::uint8_t installed = kNoPath;  ///< installed port, to be kept if it still leads on
    bool scatter = false;
    bool count = true;
  };
  /// Port for the next LID of a destination.
  std::uint8_t pick(const Turn& turn);

 private:
  /// How often LIDs of one destination left towards a neighbour, or by a cable.
  struct Used {
    std::uint32_t way = 0;
    std::uint32_t times = 0;
  };

  /// The candidate at a port; nothing if it is none.
  std::optional<std::size_t> candidate_at(std::uint8_t port) const;
  std::size_t draw();
  std::size_t scan_start(std::uint8_t previous) const;
  std::size_t next_system(std::span<const Used> used, std::size_t start) const;
  std::size_t next_cable(std::span<const Used> used, std::size_t start) const;
  bool uses_system(std::span<const Used> used, Guid system) const;
  void note(std::size_t destination, std::uint32_t way);
  /// The i-th candidate of a scan that starts at the `start`-th and wraps.
  std::size_t open(std::size_t start, std::size_t i) const {
    return open_[start + i < open_.size() ? start + i : start + i - open_.size()];
  }
  std::span<Used> used(std::size_t destination) {
    return std::span(used_).subspan(destination << max_lmc_, used_count_[destination]);
  }

  const Candidates& candidates_;
  GlibcRandom& random_;
  Diversity diversity_;
  bool shift_;
  std::uint8_t max_lmc_;
  std::vector<std::size_t> open_;         ///< candidates for the switch aimed at, in scan order
  std::vector<Guid> system_;              ///< by neighbour
  std::vector<std::uint8_t> counted_;     ///< by cable: it raises its counter
  std::vector<std::uint32_t> load_;       ///< by cable
  std::vector<Used> used_;                ///< by destination, 2^max_lmc places each
  std::vector<std::uint8_t> used_count_;  ///< places taken
  std::vector<std::size_t> drawn_from_;
};

}  // namespace rch::engines::common
