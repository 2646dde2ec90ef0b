#pragma once

#include <array>
#include <span>
#include <vector>

#include "engines/torus_2qos/placement.h"

namespace rch::engines::torus_2qos {

/// A lattice with its switches and cables in place.
class Torus {
 public:
  /// All cables between two placed switches whose positions are not adjacent; routes do not use them.
  struct Stray {
    SwitchId a, b;  ///< a < b
  };

  Torus(const fabric::SwitchGraph& graph, Lattice lattice, Placement placement);

  const Lattice& lattice() const { return lattice_; }
  const Placement& placement() const { return placement_; }
  bool present(Position p) const { return !placement_.empty(p); }
  /// Positions where no switch stands, ascending.
  const std::vector<Position>& missing() const { return missing_; }
  const std::vector<Stray>& strays() const { return strays_; }

  /// Ports towards the adjacent switch that way. Parallel cables stand in the same order at both ends:
  /// ascending port number of the end from which they point to higher coordinates (torus-2qos 1.8).
  std::span<const PortNum> ports(Position p, Direction way) const {
    const std::size_t slot = p.index() * kDirections + way.index();
    return std::span(ports_).subspan(begin_[slot], begin_[slot + 1] - begin_[slot]);
  }
  bool linked(Position p, Direction way) const { return !ports(p, way).empty(); }
  /// Two adjacent switches without a cable between them, from the lower coordinate (or across the dateline)
  /// up; in coordinate order.
  struct Gap {
    Position from;
    Direction way;
  };
  std::vector<Gap> gaps() const;
  /// Cables in place, each counted once.
  std::size_t cable_count() const { return ports_.size() / 2; }
  /// True when some two adjacent switches have more than one cable between them.
  bool has_parallel_cables() const { return parallel_; }

 private:
  void append(const fabric::SwitchGraph& graph, const fabric::Neighbor& neighbor, Direction way);

  Lattice lattice_;
  Placement placement_;
  std::vector<Position> missing_;
  std::vector<Stray> strays_;
  std::vector<std::uint32_t> begin_;  ///< by position * 6 + direction, and one past the last
  std::vector<PortNum> ports_;
  bool parallel_ = false;
};

}  // namespace rch::engines::torus_2qos
