#pragma once

#include <vector>

#include "engines/torus_2qos/geometry.h"
#include "fabric/switch_graph.h"

namespace rch::engines::torus_2qos {

/// Positions of switches: an injective, possibly partial map.
struct Placement {
  Placement() = default;
  Placement(std::size_t switch_count, std::size_t position_count)
      : position_of(switch_count, Position::none()), switch_at(position_count, SwitchId::none()) {}

  std::vector<Position> position_of;  ///< by switch, none while unplaced
  std::vector<SwitchId> switch_at;    ///< by position, none without a switch

  bool placed(SwitchId sw) const { return !position_of[sw.index()].is_none(); }
  bool empty(Position p) const { return switch_at[p.index()].is_none(); }
  void put(SwitchId sw, Position p) {
    position_of[sw.index()] = p;
    switch_at[p.index()] = sw;
  }
};

/// Extends the placement of the seed switches along the links. Switches whose position is ambiguous stay
/// unplaced.
Placement place_all(const fabric::SwitchGraph& graph, const Geometry& geometry, Placement seeded);

}  // namespace rch::engines::torus_2qos
