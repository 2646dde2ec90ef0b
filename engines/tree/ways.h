#pragma once

#include <optional>
#include <vector>

#include "engines/engine.h"
#include "engines/tree/tree.h"

namespace rch::engines::tree {

/// Which switches reach which (by Tree::column), on routes that go up, then down. The way down is taken as
/// soon as there is one, so no switch below ever turns up again: such routes have no credit loops.
struct Ways {
  /// A switch that has neither a way down nor one up, but a neighbour of its rank that has.
  struct StepAside {
    SwitchId from;
    std::uint32_t column;  ///< destination
    SwitchId next;         ///< the neighbour

    friend auto operator<=>(const StepAside&, const StepAside&) = default;
  };

  std::size_t switch_count = 0;
  std::vector<std::uint8_t> hops;  ///< [from * switch_count + column], HopMatrix::kUnknown: no way
  std::vector<StepAside> aside;    ///< sorted; few or none

  std::span<const std::uint8_t> row(SwitchId from) const {
    return std::span(hops).subspan(from.index() * switch_count, switch_count);
  }
  /// Neighbour of the same rank to go on by; none if the way leads up or down, or there is no way.
  std::optional<SwitchId> next_aside(SwitchId from, std::uint32_t column) const;
};

/// Ways between all switches of the tree. With `step_aside`, cables between switches of one rank serve where
/// nothing else does, on the way up only.
Ways find_ways(const Tree& tree, bool step_aside);

/// The same by view switch instead of column.
HopMatrix hop_matrix(const Tree& tree, const Ways& ways);

}  // namespace rch::engines::tree
