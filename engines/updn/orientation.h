#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/sub_fabric.h"

namespace rch::engines::updn {

/// Rank of a switch that no start can be reached from.
inline constexpr std::uint32_t kUnranked = 0xFFFFFFFF;

/// Hops from every switch to the nearest of `starts` (routing-engines 3.2).
std::vector<std::uint32_t> ranks(const fabric::SwitchGraph& graph, std::span<const SwitchId> starts);

/// Which way every cable leads: up, to the switch that stands earlier in a total order. That alone makes
/// up-then-down routes free of credit loops on any graph (routing-engines 3.5).
class Orientation {
 public:
  /// All switches, the topmost first.
  explicit Orientation(std::vector<SwitchId> order);

  std::span<const SwitchId> order() const { return order_; }
  bool is_up(SwitchId from, SwitchId to) const { return place_[to.index()] < place_[from.index()]; }

 private:
  std::vector<SwitchId> order_;
  std::vector<std::uint32_t> place_;  ///< by switch, in order_
};

/// Up is towards the roots: lower rank first, then lower GUID.
Orientation towards_roots(const fabric::SubFabric& view, std::span<const std::uint32_t> ranks);
/// Up is away from the leaves: higher rank first, then lower GUID. Ranks count from the leaves here.
Orientation away_from_leaves(const fabric::SubFabric& view, std::span<const std::uint32_t> ranks);

}  // namespace rch::engines::updn
