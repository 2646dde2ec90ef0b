#pragma once

#include <vector>

#include "engines/torus_2qos/channel_dependencies.h"
#include "engines/torus_2qos/ring_tables.h"

namespace rch::engines::torus_2qos {

/// The in-tree of the routes from all switches to one, and their channel dependencies. Reusable for other
/// destinations, so that memory is allocated once.
class DestinationTree {
 public:
  /// `vl_mask`: bits of a VL that links between switches have. Keeps references.
  DestinationTree(const Torus& torus, const RingTables& rings, unsigned vl_mask,
                  ChannelDependencies& dependencies);

  /// Adds the dependencies of all routes to a switch. Returns the sources whose routes do not arrive.
  std::vector<Position> add_routes_to(Position to);

 private:
  /// Routes that leave a position. Service levels are sets: bit by the 3 dateline bits.
  struct Branch {
    std::uint8_t direction = RingTables::kNoDirection;
    std::uint8_t legal = 0;      ///< service levels that go straight on or turn in order here
    std::uint8_t illegal = 0;    ///< service levels that turn against the order here
    std::uint32_t children = 0;  ///< positions that send here and are not yet done
    std::uint32_t sources = 0;
  };

  void build(Position to);
  std::uint8_t first_direction(Position from, Position to) const;
  std::uint8_t service_level_bit(Position from, Position to) const;
  /// Hands the routes of one branch on to the next position.
  void pass_on(const Branch& from, Position at);
  void add(Position at, Direction in, unsigned in_vl, Direction out, unsigned out_vl);
  std::vector<Position> lost_sources(Position to) const;

  const Torus& torus_;
  const Geometry& geometry_;
  const RingTables& rings_;
  unsigned vl_mask_;
  ChannelDependencies& dependencies_;
  std::vector<Branch> branches_;  ///< by position
  std::vector<Position> leaves_;  ///< positions whose children are done
};

}  // namespace rch::engines::torus_2qos
