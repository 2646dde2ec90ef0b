#pragma once

#include <cstdint>
#include <vector>

#include "engines/common/port_selection/candidate_sets.h"
#include "engines/tree/up_down_hops.h"

namespace rch::engines::tree {

/// Port groups of one switch: up groups by place in up_groups(), then down groups by place in down_groups().
using GroupSet = common::CandidateSet<4>;

/// The port groups of one switch that lie on up-down paths, by column of the destination. Columns in sequence
/// mostly share their groups.
class NextHops {
 public:
  /// Keeps references.
  NextHops(const Tree& tree, const UpDownHops& hops);

  /// Moves on to another switch; storage is kept.
  void load(SwitchId sw);
  /// The groups of the loaded switch. Empty for its own column, for sibling hops, and where there is no path.
  GroupSet towards(std::uint32_t column) const { return sets_.at<4>(column); }
  /// The same of any switch, loaded or not.
  GroupSet towards(SwitchId sw, std::uint32_t column) const;
  /// True when the loaded switch reaches the destination by hops down alone.
  bool is_below(std::uint32_t column) const { return down_hops_[column] != HopMatrix::kUnknown; }
  /// The first column after `column` whose groups differ.
  std::uint32_t run_end(std::uint32_t column) const;

 private:
  const Tree& tree_;
  const UpDownHops& hops_;
  std::vector<std::uint8_t> rank_;       ///< by column
  std::vector<std::uint8_t> down_hops_;  ///< by column: hops if is_below, else unknown
  common::CandidateSets sets_;           ///< port groups, by column
  std::vector<std::uint8_t> changes_;    ///< by column: not 0 if its groups differ from the column before
};

}  // namespace rch::engines::tree
