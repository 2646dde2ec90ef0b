#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/bitset.h"
#include "base/ids.h"
#include "engines/dfsssp/hop_bits.h"
#include "fabric/switch_graph.h"

namespace rch::engines::dfsssp {

/// By which ports shortest paths go on, from every switch to every other. A switch has few different sets of
/// such ports: its exit sets. Those of many switches lead to the same neighbours, to one group of next hops:
/// in a fat tree, all leaves of a pod send to all others by the same spines.
class NextHops {
 public:
  using GroupId = Id<struct NextHopGroupTag, std::uint32_t>;

  struct ExitSet {
    SwitchId sw;
    GroupId group = {};
    std::uint32_t first = 0;  ///< exit
    std::uint32_t list;       ///< where all of them stand; kInARow: they follow the first
    std::uint32_t ports;      ///< where they begin; sets of a group that begin alike are alike
  };

  /// `dealt`: destinations that exit sets are asked for.
  NextHops(const fabric::SwitchGraph& graph, const HopBits& hops, const IdSet<SwitchId>& dealt);

  std::size_t switch_count() const { return first_set_.size() - 1; }
  std::size_t group_count() const { return first_next_.size() - 1; }
  /// Ports to other switches: exits are numbered densely.
  std::size_t exit_count() const { return exit_count_; }

  /// By switch, which of its exit sets leads to a destination that is dealt: kNone if there is no path, or no
  /// need.
  std::span<const std::uint16_t> numbers_to(SwitchId destination) const {
    return std::span(numbers_).subspan(column_[destination.index()] * switch_count(), switch_count());
  }
  static constexpr std::uint16_t kNone = std::numeric_limits<std::uint16_t>::max();
  const ExitSet& exit_set(SwitchId sw, std::uint16_t number) const {
    return sets_[first_set_[sw.index()] + number];
  }
  /// Ascending; a neighbour stands there once for every cable to it.
  std::span<const SwitchId> next_hops(GroupId group) const {
    const std::uint32_t first = first_next_[group.index()];
    return std::span(next_).subspan(first, first_next_[group.index() + 1] - first);
  }
  /// Calls f(place, exit) for exits to the next hops of the group, as many as it has.
  template <class F>
  void for_each_exit(const ExitSet& set, std::size_t count, F&& f) const {
    const std::size_t first = set.first;  // here no store of `f` reaches it, so that loops become vector code
    if (set.list == kInARow)
      for (std::size_t p = 0; p < count; ++p) f(p, first + p);
    else
      for (std::size_t p = 0; p < count; ++p) f(p, std::size_t{exits_[set.list + p]});
  }
  std::size_t exit(const ExitSet& set, std::size_t place) const {
    return set.list == kInARow ? set.first + place : exits_[set.list + place];
  }
  const std::uint8_t* ports(const ExitSet& set) const { return ports_.data() + set.ports; }

  /// By destination that is not dealt: one after the other takes the next of the ports that lead to it.
  std::span<const std::uint8_t> ports_in_turn(SwitchId sw) const {
    return std::span(in_turn_).subspan(sw.index() * switch_count(), switch_count());
  }

 private:
  static constexpr std::uint32_t kInARow = std::numeric_limits<std::uint32_t>::max();
  class Joining;

  std::vector<std::uint32_t> column_;   ///< by destination that is dealt
  std::vector<std::uint16_t> numbers_;  ///< by column, then switch
  std::vector<std::uint8_t> in_turn_;   ///< by switch, then destination
  std::uint32_t exit_count_ = 0;
  std::vector<std::uint32_t> first_set_;  ///< by switch, and one past the last
  std::vector<ExitSet> sets_;
  std::vector<std::uint32_t> exits_;  ///< by set that has them not in a row
  std::vector<std::uint8_t> ports_;
  std::vector<std::uint32_t> first_next_;  ///< by group, and one past the last
  std::vector<SwitchId> next_;
};

}  // namespace rch::engines::dfsssp
