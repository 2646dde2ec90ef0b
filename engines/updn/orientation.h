#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/inputs.h"
#include "fabric/sub_fabric.h"

namespace rch::engines::updn {

/// Rank of a switch that no start is reachable from.
inline constexpr std::uint32_t kUnranked = 0xFFFFFFFF;

/// A switch whose rank is given.
struct Start {
  SwitchId sw;
  std::uint32_t rank = 0;
};

/// Ranks of all switches: those of `starts` as given, of any other the hops to the nearest start more than
/// its (OpenSM's osm_ucast_updn.c).
std::vector<std::uint32_t> ranks(const fabric::SwitchGraph& graph, std::span<const Start> starts);

/// Numbers of all switches of the view: as named, the last of repeated ones, else the GUID.
std::vector<std::uint64_t> numbers(const fabric::SubFabric& view, std::span<const SwitchNumber> named);

/// True if no link joins switches of equal rank.
bool is_graded(const fabric::SwitchGraph& graph, std::span<const std::uint32_t> ranks);

/// The direction of every link: up leads to the switch that comes earlier in a total order. A total order
/// alone makes up-down paths free of credit loops on any graph (docs/engines.md).
class Orientation {
 public:
  /// All switches, the topmost first.
  explicit Orientation(std::vector<SwitchId> order);

  std::span<const SwitchId> order() const { return order_; }
  bool is_up(SwitchId from, SwitchId to) const { return position_[to.index()] < position_[from.index()]; }

 private:
  std::vector<SwitchId> order_;
  std::vector<std::uint32_t> position_;  ///< by switch, in order_
};

/// Up is towards the roots: lower rank first, then lower number.
Orientation towards_roots(std::span<const std::uint32_t> ranks, std::span<const std::uint64_t> numbers);
/// Up is away from the leaves, from which ranks count here: higher rank first. Connected switches of one rank
/// follow by their hops to the one with the lowest number, then by number. So one of them is topmost, and all
/// can reach each other.
Orientation away_from_leaves(const fabric::SwitchGraph& graph, std::span<const std::uint32_t> ranks,
                             std::span<const std::uint64_t> numbers);

}  // namespace rch::engines::updn
