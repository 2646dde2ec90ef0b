#pragma once

#include <array>
#include <span>
#include <vector>

#include "engines/torus_2qos/placement.h"

namespace rch::engines::torus_2qos {

/// A geometry with its switches and links in place.
class Torus {
 public:
  /// Links between two placed switches whose positions are not adjacent. Routes do not use them.
  struct NonTorusLink {
    SwitchId a, b;  ///< a < b
  };
  /// Two adjacent switches without a link.
  struct MissingLink {
    Position from;
    Direction direction;  ///< a + direction
  };

  Torus(const fabric::SwitchGraph& graph, Geometry geometry, Placement placement);

  const Geometry& geometry() const { return geometry_; }
  const Placement& placement() const { return placement_; }
  bool present(Position p) const { return !placement_.empty(p); }
  /// `p` must be present.
  SwitchId switch_at(Position p) const { return placement_.switch_at[p.index()]; }
  Position position_of(SwitchId sw) const { return placement_.position_of[sw.index()]; }
  /// Positions without a switch, in coordinate order.
  const std::vector<Position>& missing_switches() const { return missing_switches_; }
  /// By plane: true if a switch is missing there.
  std::vector<bool> damaged_planes() const;
  /// In coordinate order.
  std::vector<MissingLink> missing_links() const;
  const std::vector<NonTorusLink>& non_torus_links() const { return non_torus_links_; }

  /// Ports towards the adjacent switch. Parallel links have the same order at both ends: by port number of
  /// the end from which they lead to higher coordinates (OpenSM's osm_torus.c).
  std::span<const PortNum> ports(Position p, Direction direction) const {
    const std::size_t slot = p.index() * kDirections + direction.index();
    return std::span(ports_).subspan(begin_[slot], begin_[slot + 1] - begin_[slot]);
  }
  bool linked(Position p, Direction direction) const { return !ports(p, direction).empty(); }
  /// Links in place, each counted once.
  std::size_t link_count() const { return ports_.size() / 2; }
  /// True when any two adjacent switches have more than one link.
  bool has_parallel_links() const { return has_parallel_links_; }

 private:
  void append(const fabric::SwitchGraph& graph, const fabric::Neighbor& neighbor, Direction direction);

  Geometry geometry_;
  Placement placement_;
  std::vector<Position> missing_switches_;
  std::vector<NonTorusLink> non_torus_links_;
  std::vector<std::uint32_t> begin_;  ///< by position * 6 + direction, and one past the last
  std::vector<PortNum> ports_;
  bool has_parallel_links_ = false;
};

}  // namespace rch::engines::torus_2qos
