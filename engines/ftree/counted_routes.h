#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engines/tree/tree.h"
#include "fabric/forwarding_tables.h"

namespace rch::engines::ftree {

/// What one search is for.
struct Target {
  SwitchId sw;                     ///< that it hangs on, or is
  std::optional<Lid> lid;          ///< none: a place without a host, which moves counters and writes nothing
  PortNum attach;                  ///< port of `sw` that delivers
  std::uint16_t reverse_hops = 0;  ///< steps up that routes may take after they have gone down
};

/// OpenSM's fat-tree search (routing-engines 4.5). Destinations are routed one after the other: from the
/// switch of each the search climbs to the roots, by the least loaded way, and at every switch it meets on
/// the climb all switches below are given a route up to that one. Counters of groups and cables remember
/// what earlier destinations took.
class CountedRoutes {
 public:
  /// Writes into `lfts`. Keeps references.
  CountedRoutes(const tree::Tree& tree, fabric::ForwardingTables& lfts);

  /// `counts`: the climb raises the counters, as for hosts; else all ways up are equal, as for switches.
  void route(const Target& target, bool counts);

 private:
  /// Neighbour groups of one switch in one direction, lightest first.
  struct Groups {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  enum Direction { kUp, kBeside, kDown };
  struct Load {
    std::uint32_t up = 0;    ///< routes that leave the neighbour by it towards this switch
    std::uint32_t down = 0;  ///< routes that the neighbour sends down here
  };

  /// The climb from `sw`, which has a route of `hops`. True if some host lies below what it met.
  bool ascend(SwitchId sw, SwitchId previous, bool counts, std::uint16_t reverse_hops, std::uint8_t hops);
  bool descend(SwitchId sw, SwitchId previous, std::uint8_t hops);
  bool step_aside(SwitchId sw, std::uint32_t main_group, std::uint16_t reverse_hops, std::uint8_t hops);
  void take_turn(SwitchId sw);
  bool reverse(SwitchId sw, bool counts, std::uint16_t reverse_hops, std::uint8_t hops);

  bool is_nearer(SwitchId sw, std::uint8_t hops) const;
  void set(SwitchId sw, PortNum port, std::uint8_t hops);
  /// Cable of the group with the lowest counter, the first among equals.
  std::uint32_t lightest(const fabric::Neighbor& group, std::uint32_t Load::*counter) const;
  /// Port of the neighbour that the cable ends at.
  PortNum far_end(const fabric::Neighbor& group, std::uint32_t cable) const;
  void sort(const Groups& groups, std::uint32_t Load::*counter);
  Groups& groups(SwitchId sw, Direction direction) { return groups_[sw.index() * 3 + direction]; }

  const tree::Tree& tree_;
  fabric::ForwardingTables& lfts_;
  std::vector<std::uint32_t> place_;       ///< by switch: in the order of tuples; equal without
  std::vector<std::uint32_t> cas_;         ///< by switch: CA ports that hang on it
  std::vector<fabric::Neighbor> list_;     ///< groups, in the tree's order
  std::vector<std::uint32_t> order_;       ///< indices into list_, sorted part by part
  std::vector<Groups> groups_;             ///< [3 * switch + direction], into order_
  std::vector<Load> group_load_;           ///< parallel to list_
  std::vector<Load> cable_load_;           ///< by link of the graph
  std::vector<std::uint8_t> resort_down_;  ///< by switch: a counter has changed since its groups were sorted
  std::vector<std::uint32_t> turn_;        ///< by switch: moves on with every search that gets to hosts

  // Of the search under way.
  std::vector<std::uint8_t> port_;  ///< by switch; kNoPath: none yet
  std::vector<std::uint8_t> hops_;  ///< by switch; HopMatrix::kUnknown: none yet
  bool real_ = true;
};

}  // namespace rch::engines::ftree
