#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engines/torus_2qos/torus.h"

namespace rch::engines::torus_2qos {

/// Which way to leave on a ring, from every member towards every coordinate (torus-2qos 2.1, 2.3, 8).
///
/// Intact rings of a dimension share one table; a ring with a gap has its own. The same tables carry the
/// pristine and the damaged fabric: an entry is kNoWay where the ring does not lead on, and the next
/// dimension is tried.
class RingTables {
 public:
  static constexpr std::uint8_t kNoWay = kDirections;

  explicit RingTables(const Torus& torus);

  /// Direction by target coordinate, radix(d) elements; kNoWay at the own coordinate.
  std::span<const std::uint8_t> ways(std::size_t d, Position from) const {
    const std::size_t n = lattice_->radix(d);
    const std::size_t row = lattice_->coordinates(from)[d];
    return std::span(tables_).subspan(table_of_[d][lattice_->ring(d, from)] + row * n, n);
  }

 private:
  void append(const Torus& torus, std::size_t d, std::size_t ring);

  const Lattice* lattice_;
  std::array<std::vector<std::size_t>, kDimensions> table_of_;  ///< by ring: where its table begins
  std::vector<std::uint8_t> tables_;
};

/// A run of linked members of one ring, in + direction.
struct Segment {
  Position first, last;
};
/// The segments a ring falls into: one for a healthy open ring or a ring with one gap, none for a closed
/// ring.
std::vector<Segment> segments(const Torus& torus, std::size_t d, std::size_t ring);

}  // namespace rch::engines::torus_2qos
