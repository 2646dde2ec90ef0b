#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "engines/torus_2qos/failure.h"

namespace rch::engines::torus_2qos {

inline constexpr std::size_t kDimensions = 3;
inline constexpr std::array<char, kDimensions> kAxisName{'x', 'y', 'z'};

/// Index of a place for a switch: (x * Y + y) * Z + z. "Coordinate order" is ascending Position.
using Position = Id<struct PositionTag, std::uint16_t>;
using Coordinates = std::array<std::uint16_t, kDimensions>;

/// Way out of a position: 2d towards lower, 2d + 1 towards higher coordinates of dimension d.
using Direction = Id<struct DirectionTag, std::uint8_t>;
inline constexpr std::size_t kDirections = 2 * kDimensions;
constexpr Direction down(std::size_t d) { return Direction(static_cast<std::uint8_t>(2 * d)); }
constexpr Direction up(std::size_t d) { return Direction(static_cast<std::uint8_t>(2 * d + 1)); }
constexpr Direction opposite(Direction way) { return Direction(way.value ^ 1U); }
constexpr std::size_t dimension_of(Direction way) { return way.index() / 2; }
constexpr bool is_up(Direction way) { return way.value % 2 == 1; }

/// The grid of positions: what is adjacent to what, and which way is the short one. Knows nothing of
/// switches.
class Lattice {
 public:
  /// Refuses a radix of 0 and more positions than a 16-bit index can name. Radix 1 and 2 never loop.
  static Attempt<Lattice> create(const std::array<std::uint32_t, kDimensions>& radix,
                                 const std::array<bool, kDimensions>& wraps);

  std::size_t size() const { return coordinates_.size(); }
  std::uint32_t radix(std::size_t d) const { return radix_[d]; }
  bool looped(std::size_t d) const { return looped_[d]; }

  Position at(const Coordinates& c) const {
    return Position(static_cast<std::uint16_t>((c[0] * radix_[1] + c[1]) * radix_[2] + c[2]));
  }
  const Coordinates& coordinates(Position p) const { return coordinates_[p.index()]; }
  /// None beyond the border of an open dimension.
  Position neighbor(Position p, Direction way) const { return neighbors_[p.index()][way.index()]; }
  /// Way from a position to one adjacent to it; none when they are not adjacent.
  Direction direction(Position from, Position to) const {
    const auto& around = neighbors_[from.index()];
    for (std::uint8_t way = 0; way < kDirections; ++way)
      if (around[way] == to) return Direction(way);
    return Direction::none();
  }

  /// True when the way across the dateline is strictly shorter (torus-2qos 3). Never in an open dimension: no
  /// dateline is there to cross (torus-2qos 2.5, recommendation).
  bool crosses(std::size_t d, std::uint32_t from, std::uint32_t to) const;
  /// Way to go first between different coordinates of a dimension; ties do not cross the dateline
  /// (torus-2qos 2.1).
  Direction preferred(std::size_t d, std::uint32_t from, std::uint32_t to) const {
    return (from < to) != crosses(d, from, to) ? up(d) : down(d);
  }

  /// A ring is all positions that differ in dimension d only.
  std::size_t ring_count(std::size_t d) const { return size() / radix_[d]; }
  std::size_t ring(std::size_t d, Position p) const {
    return p.index() / (radix_[d] * stride_[d]) * stride_[d] + p.index() % stride_[d];
  }
  /// Member of a ring with the given coordinate.
  Position on_ring(std::size_t d, std::size_t ring, std::uint32_t coordinate) const {
    const std::size_t slab = ring / stride_[d] * radix_[d] + coordinate;
    return Position(static_cast<std::uint16_t>(slab * stride_[d] + ring % stride_[d]));
  }

  /// `(3,1,0)`.
  std::string name(Position p) const;
  /// `6x5x1`, open dimensions marked `m`: `6mx5x1`.
  std::string name() const;

 private:
  /// The next position in coordinate order.
  void append(const Coordinates& c);

  std::array<std::uint32_t, kDimensions> radix_{};
  std::array<bool, kDimensions> looped_{};
  std::array<std::size_t, kDimensions> stride_{};
  std::vector<Coordinates> coordinates_;
  std::vector<std::array<Position, kDirections>> neighbors_;
};

}  // namespace rch::engines::torus_2qos
