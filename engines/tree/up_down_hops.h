#pragma once

#include <optional>
#include <vector>

#include "engines/engine.h"
#include "engines/tree/tree.h"

namespace rch::engines::tree {

/// Hops of up-down paths: up first, then down. A path turns down at the first switch from which the
/// destination is below. So no packet turns up again, and such paths have no credit loops.
struct UpDownHops {
  /// Next hop of a switch without an up-down path: a sibling that has one.
  struct SiblingHop {
    SwitchId from;
    std::uint32_t column;  ///< of the destination
    SwitchId next;

    friend auto operator<=>(const SiblingHop&, const SiblingHop&) = default;
  };

  std::size_t switch_count = 0;
  std::vector<std::uint8_t> hops;        ///< [from * switch_count + column]; HopMatrix::kUnknown: no path
  std::vector<SiblingHop> sibling_hops;  ///< sorted; few or none

  std::span<const std::uint8_t> row(SwitchId from) const {
    return std::span(hops).subspan(from.index() * switch_count, switch_count);
  }
  /// Sibling that `from` sends to; none if it has an up-down path of its own, or no path.
  std::optional<SwitchId> next_sibling(SwitchId from, std::uint32_t column) const;
};

/// Hops between all switches of the tree. With `use_siblings`, a switch without an up-down path goes by its
/// siblings, on the way up only.
UpDownHops up_down_hops(const Tree& tree, bool use_siblings);

/// The same hops by view switch instead of column.
HopMatrix hop_matrix(const Tree& tree, const UpDownHops& hops);

}  // namespace rch::engines::tree
