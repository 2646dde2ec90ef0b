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

/// The output ports that lie on minimal paths, from every switch to every other. A switch has few different
/// sets of such ports. Sets of different switches that lead to the same next hops form an equivalence class:
/// in a fat tree all leaves of a pod send to other pods by the same spines.
class NextHopSets {
 public:
  using ClassId = Id<struct NextHopClassTag, std::uint32_t>;
  /// A switch by its position in the order of HopBits. What is stored by position is near for neighbours.
  using Position = Id<struct SwitchPositionTag, std::uint32_t>;

  struct PortSet {
    SwitchId sw;
    ClassId cls = {};
    std::uint32_t first = 0;  ///< output port
    std::uint32_t list;       ///< into out_ports_; kConsecutive: the others follow the first
    std::uint32_t ports;      ///< into ports_
  };

  /// `with_hosts`: destinations whose port sets are asked for.
  NextHopSets(const fabric::SwitchGraph& graph, const HopBits& hops, const IdSet<SwitchId>& with_hosts);

  std::size_t switch_count() const { return order_.size(); }
  SwitchId switch_at(Position p) const { return order_[p.index()]; }
  std::size_t class_count() const { return first_next_.size() - 1; }
  /// Ports to other switches, numbered densely by position, then the neighbour's.
  std::size_t out_port_count() const { return out_port_count_; }

  /// By position, the number of the port set to a destination with hosts; kNone: there is no path, or no hop.
  std::span<const std::uint16_t> numbers_to(SwitchId destination) const {
    return std::span(numbers_).subspan(column_[destination.index()] * switch_count(), switch_count());
  }
  static constexpr std::uint16_t kNone = std::numeric_limits<std::uint16_t>::max();
  const PortSet& port_set(Position p, std::uint16_t number) const {
    return sets_[first_set_[p.index()] + number];
  }
  /// By position; a neighbour is listed once for each parallel link to it.
  std::span<const SwitchId> next_hops(ClassId cls) const {
    const std::uint32_t first = first_next_[cls.index()];
    return std::span(next_).subspan(first, first_next_[cls.index() + 1] - first);
  }
  /// Calls f(place, output port) for the `count` next hops of the class.
  template <class F>
  void for_each_out_port(const PortSet& set, std::size_t count, F&& f) const {
    const std::size_t first = set.first;  // no store of `f` may alias it, or loops are not vectorised
    if (set.list == kConsecutive)
      for (std::size_t p = 0; p < count; ++p) f(p, first + p);
    else
      for (std::size_t p = 0; p < count; ++p) f(p, std::size_t{out_ports_[set.list + p]});
  }
  std::size_t out_port(const PortSet& set, std::size_t place) const {
    return set.list == kConsecutive ? set.first + place : out_ports_[set.list + place];
  }
  /// Port numbers by place.
  const std::uint8_t* ports(const PortSet& set) const { return ports_.data() + set.ports; }

  /// A port that lies on a minimal path to a destination without hosts: consecutive destinations use
  /// consecutive ports of the set.
  std::uint8_t round_robin_port(Position p, SwitchId destination) const {
    return round_robin_[p.index() * without_hosts_ + column_[destination.index()]];
  }

 private:
  static constexpr std::uint32_t kConsecutive = std::numeric_limits<std::uint32_t>::max();
  class Builder;

  std::vector<SwitchId> order_;            ///< by position
  std::vector<std::uint32_t> column_;      ///< by destination: among those with hosts, or without
  std::vector<std::uint16_t> numbers_;     ///< of those with hosts: by column, then position
  std::size_t without_hosts_;              ///< destinations
  std::vector<std::uint8_t> round_robin_;  ///< of those: by position, then column
  std::uint32_t out_port_count_ = 0;
  std::vector<std::uint32_t> first_set_;  ///< by position, and one past the last
  std::vector<PortSet> sets_;
  std::vector<std::uint32_t> out_ports_;  ///< of sets whose ports are not consecutive
  std::vector<std::uint8_t> ports_;
  std::vector<std::uint32_t> first_next_;  ///< by class, and one past the last
  std::vector<SwitchId> next_;
};

}  // namespace rch::engines::dfsssp
