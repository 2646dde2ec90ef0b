#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/inputs.h"
#include "fabric/sub_fabric.h"

namespace rch::engines::updn {

/// Rank of a switch that no start can be reached from.
inline constexpr std::uint32_t kUnranked = 0xFFFFFFFF;

/// A switch whose rank is given.
struct Start {
  SwitchId sw;
  std::uint32_t rank = 0;
};

/// Ranks of all switches: those of `starts` as given, of any other the hops to the nearest start more than
/// its (routing-engines 3.2).
std::vector<std::uint32_t> ranks(const fabric::SwitchGraph& graph, std::span<const Start> starts);

/// Numbers of all switches of the view: as named, the last of repeated ones, else the GUID.
std::vector<std::uint64_t> numbers(const fabric::SubFabric& view, std::span<const SwitchNumber> named);

/// True if every cable joins neighbouring ranks.
bool is_graded(const fabric::SwitchGraph& graph, std::span<const std::uint32_t> ranks);

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

/// Up is towards the roots: lower rank first, then lower number.
Orientation towards_roots(std::span<const std::uint32_t> ranks, std::span<const std::uint64_t> numbers);
/// Up is away from the leaves: higher rank first. Ranks count from the leaves here. Switches of one rank that
/// cables join go by their hops to the one with the lowest number, so that there is one topmost among them
/// and all can reach each other; then by number.
Orientation away_from_leaves(const fabric::SwitchGraph& graph, std::span<const std::uint32_t> ranks,
                             std::span<const std::uint64_t> numbers);

}  // namespace rch::engines::updn
