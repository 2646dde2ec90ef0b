#pragma once

#include <array>
#include <cstdint>
#include <span>
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

/// Direction of a link: 2d towards lower (-), 2d + 1 towards higher (+) coordinates of dimension d.
using Direction = Id<struct DirectionTag, std::uint8_t>;
inline constexpr std::size_t kDirections = 2 * kDimensions;
inline constexpr std::array<Direction, kDirections> kAllDirections{Direction(0), Direction(1), Direction(2),
                                                                   Direction(3), Direction(4), Direction(5)};
constexpr Direction minus(std::size_t d) { return Direction(static_cast<std::uint8_t>(2 * d)); }
constexpr Direction plus(std::size_t d) { return Direction(static_cast<std::uint8_t>(2 * d + 1)); }
constexpr Direction opposite(Direction direction) { return Direction(direction.value ^ 1U); }
constexpr std::size_t dimension_of(Direction direction) { return direction.index() / 2; }
constexpr bool is_plus(Direction direction) { return direction.value % 2 == 1; }

/// Coordinates of a torus or mesh: adjacency, datelines, rings. Knows nothing of switches.
class Geometry {
 public:
  /// Refuses a radix of 0 and more positions than a 16-bit index can name. Radix 1 and 2 never
  /// wrap.
  static Attempt<Geometry> create(const std::array<std::uint32_t, kDimensions>& radix,
                                  const std::array<bool, kDimensions>& wraps);

  std::size_t size() const { return coordinates_.size(); }
  /// All positions, in coordinate order.
  std::span<const Position> positions() const { return positions_; }
  std::uint32_t radix(std::size_t d) const { return radix_[d]; }
  /// True when dimension d has links across its dateline; false for an open (mesh) dimension.
  bool wraps(std::size_t d) const { return wraps_[d]; }

  /// First dimension of radix above 1, else the last dimension. Its coordinate names a plane: all positions
  /// that share it.
  std::size_t trunk() const { return trunk_; }
  std::uint16_t plane(Position p) const { return coordinates(p)[trunk_]; }

  Position at(const Coordinates& c) const {
    return Position(static_cast<std::uint16_t>((c[0] * radix_[1] + c[1]) * radix_[2] + c[2]));
  }
  const Coordinates& coordinates(Position p) const { return coordinates_[p.index()]; }
  /// None beyond the border of an open dimension.
  Position neighbor(Position p, Direction direction) const {
    return neighbors_[p.index()][direction.index()];
  }
  /// Direction from a position to an adjacent one; none when they are not adjacent.
  Direction direction_to(Position from, Position to) const {
    const auto& around = neighbors_[from.index()];
    for (const Direction direction : kAllDirections)
      if (around[direction.index()] == to) return direction;
    return Direction::none();
  }

  /// True when the path across the dateline is strictly shorter (torus-2QoS(8)). An open dimension has no
  /// dateline (torus-2QoS(8)).
  bool crosses_dateline(std::size_t d, std::uint32_t from, std::uint32_t to) const;
  /// Direction of the shorter path between different coordinates of a dimension. Ties do not cross the
  /// dateline (torus-2QoS(8)).
  Direction preferred(std::size_t d, std::uint32_t from, std::uint32_t to) const {
    return (from < to) != crosses_dateline(d, from, to) ? plus(d) : minus(d);
  }

  /// A ring is all positions that differ in dimension d only.
  std::size_t ring_count(std::size_t d) const { return size() / radix_[d]; }
  std::size_t ring(std::size_t d, Position p) const {
    return p.index() / (radix_[d] * stride_[d]) * stride_[d] + p.index() % stride_[d];
  }
  /// Member of a ring with the given coordinate.
  Position on_ring(std::size_t d, std::size_t ring, std::uint32_t coordinate) const {
    const std::size_t row = ring / stride_[d] * radix_[d] + coordinate;
    return Position(static_cast<std::uint16_t>(row * stride_[d] + ring % stride_[d]));
  }

  /// `(3,1,0)`.
  std::string name(Position p) const;
  /// `6x5x1`, open dimensions marked `m`: `6mx5x1`.
  std::string name() const;

 private:
  /// The next position in coordinate order.
  void append(const Coordinates& c);

  std::array<std::uint32_t, kDimensions> radix_{};
  std::array<bool, kDimensions> wraps_{};
  std::array<std::size_t, kDimensions> stride_{};
  std::size_t trunk_ = 0;
  std::vector<Position> positions_;
  std::vector<Coordinates> coordinates_;                      ///< by position
  std::vector<std::array<Position, kDirections>> neighbors_;  ///< by position
};

}  // namespace rch::engines::torus_2qos
