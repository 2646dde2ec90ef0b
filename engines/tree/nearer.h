#pragma once

#include <cstdint>
#include <vector>

#include "engines/common/port_selection/candidates.h"
#include "engines/tree/ways.h"

namespace rch::engines::tree {

/// Neighbours of one switch: those above by place in up(), then those below by place in down().
using NeighborSet = common::CandidateSet<4>;

/// For one switch, by destination: the neighbours above or below by which a way goes on. Destinations are
/// columns of the tree, and columns that follow each other mostly share their neighbours.
class NearerNeighbors {
 public:
  /// Keeps references.
  NearerNeighbors(const Tree& tree, const Ways& ways);

  /// Moves on to another switch; storage is kept.
  void examine(SwitchId sw);
  /// Of the switch examined. Empty for its own column, and where there is no way or one by a sibling.
  NeighborSet towards(std::uint32_t column) const;
  /// The same of any switch, examined or not.
  NeighborSet towards(SwitchId sw, std::uint32_t column) const;
  /// The way leads straight down there.
  bool is_below(std::uint32_t column) const { return straight_[column] != HopMatrix::kUnknown; }
  /// The first column behind `column` whose neighbours differ.
  std::uint32_t run_end(std::uint32_t column) const;

 private:
  void add(std::size_t bit, const std::uint8_t* own, const std::uint8_t* neighbor);
  void mark_changes();

  const Tree& tree_;
  const Ways& ways_;
  std::size_t count_;                   ///< columns
  std::vector<std::uint8_t> rank_;      ///< by column
  std::vector<std::uint8_t> straight_;  ///< hops by column where the way leads down
  std::vector<std::uint8_t> planes_;    ///< [bit / 8 * count_ + column], bit % 8
  std::vector<std::uint8_t> changes_;  ///< by column, not 0 if its set differs from that of the column before
};

}  // namespace rch::engines::tree
