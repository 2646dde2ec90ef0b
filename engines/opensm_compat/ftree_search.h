#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engines/tree/tree.h"
#include "fabric/forwarding_tables.h"

namespace rch::engines::opensm_compat {

/// Destination of one search.
struct FtreeDestination {
  SwitchId sw;                     ///< switch that it hangs on, or is
  std::optional<Lid> lid;          ///< none: a dummy that raises counters and writes no entry
  PortNum attach;                  ///< port of `sw` that delivers
  std::uint16_t reverse_hops = 0;  ///< steps up that routes may take after they have gone down
};

/// OpenSM's fat-tree search (OpenSM's osm_ucast_ftree.c). It routes one destination after the
/// other, from the destination's switch up to the roots by the port group with the lowest counter. Every
/// switch that it reaches gives the switches below a route up to itself. Counters of port groups and links
/// carry over to later destinations.
class FtreeSearch {
 public:
  /// Writes into `lfts`. Keeps references.
  FtreeSearch(const tree::Tree& tree, fabric::ForwardingTables& lfts);

  /// `counts`: the main path raises the counters, as for hosts. Otherwise all paths are equal, as for
  /// switches.
  void route(const FtreeDestination& to, bool counts);

 private:
  /// Port groups of one switch in one direction, sorted by a counter.
  struct Groups {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  enum Direction { kUp, kSibling, kDown };
  struct Counters {
    std::uint32_t up = 0;    ///< routes by which the neighbour sends up to this switch
    std::uint32_t down = 0;  ///< routes by which the neighbour sends down to this switch
  };

  // The first two have the names of OpenSM's functions. `sw` has a route of `hops`. All return true if a CA
  // hangs on a switch that they reached.

  bool route_downgoing_by_going_up(SwitchId sw, SwitchId previous, bool counts, std::uint16_t reverse_hops,
                                   std::uint8_t hops);
  bool route_upgoing_by_going_down(SwitchId sw, SwitchId previous, std::uint8_t hops);
  bool route_by_siblings(SwitchId sw, std::uint32_t main_group, std::uint16_t reverse_hops,
                         std::uint8_t hops);
  bool route_reverse(SwitchId sw, bool counts, std::uint16_t reverse_hops, std::uint8_t hops);
  void advance_down_group(SwitchId sw);

  bool is_shorter(SwitchId sw, std::uint8_t hops) const;
  void set(SwitchId sw, PortNum port, std::uint8_t hops);
  /// Link of the group with the lowest counter, the first among equals.
  std::uint32_t least_loaded(const fabric::Neighbor& group, std::uint32_t Counters::*counter) const;
  /// Port of the neighbour at the other end of the link.
  PortNum remote_port(const fabric::Neighbor& group, std::uint32_t link) const;
  void sort(const Groups& groups, std::uint32_t Counters::*counter);
  Groups& groups(SwitchId sw, Direction direction) { return groups_[sw.index() * 3 + direction]; }

  const tree::Tree& tree_;
  fabric::ForwardingTables& lfts_;
  std::vector<std::uint32_t> place_;       ///< by switch: in tuple order; equal without a tuple
  std::vector<std::uint32_t> cas_;         ///< by switch: CA ports that hang on it
  std::vector<fabric::Neighbor> list_;     ///< groups, in the tree's order
  std::vector<std::uint32_t> order_;       ///< indices into list_, sorted part by part
  std::vector<Groups> groups_;             ///< [3 * switch + direction], into order_
  std::vector<Counters> group_counters_;   ///< parallel to list_
  std::vector<Counters> link_counters_;    ///< by link of the graph
  std::vector<std::uint8_t> resort_down_;  ///< by switch: a counter has changed since its groups were sorted
  std::vector<std::uint32_t> down_group_;  ///< by switch: advances with every search that reaches a CA

  // State of the current search.
  std::vector<std::uint8_t> port_;  ///< by switch; kNoPath: none yet
  std::vector<std::uint8_t> hops_;  ///< by switch; HopMatrix::kUnknown: none yet
  bool is_dummy_ = false;
};

}  // namespace rch::engines::opensm_compat
