#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engines/torus_2qos/torus.h"

namespace rch::engines::torus_2qos {

/// Direction to take on a ring, from every member towards every coordinate (torus-2QoS(8) and docs/torus.md).
///
/// Intact rings of a dimension share one table; a broken ring has its own. An entry is kNoDirection where the
/// ring does not lead to the coordinate; then the next dimension is tried.
class RingTables {
 public:
  static constexpr std::uint8_t kNoDirection = kDirections;

  explicit RingTables(const Torus& torus);

  /// Direction by target coordinate, radix(d) elements; kNoDirection at the own coordinate.
  std::span<const std::uint8_t> directions(std::size_t d, Position from) const {
    const std::size_t n = geometry_->radix(d);
    const std::size_t row = geometry_->coordinates(from)[d];
    return std::span(tables_).subspan(table_of_[d][geometry_->ring(d, from)] + row * n, n);
  }

 private:
  void append(const Torus& torus, std::size_t d, std::size_t ring);

  const Geometry* geometry_;
  std::array<std::vector<std::size_t>, kDimensions> table_of_;  ///< by ring: where its table begins
  std::vector<std::uint8_t> tables_;
};

/// A maximal run of linked members of one ring, in + direction.
struct Segment {
  Position first, last;
};
/// Segments of a ring: one for an intact open ring or a ring that lacks one link, none for a closed ring.
std::vector<Segment> segments(const Torus& torus, std::size_t d, std::size_t ring);

}  // namespace rch::engines::torus_2qos
