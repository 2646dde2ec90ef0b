#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "fabric/topologies.h"

namespace rch::fabric {

/// Positions of a grid of up to three dimensions; absent dimensions have radix 1.
class GridIndex {
 public:
  using Position = std::array<std::uint32_t, 3>;

  explicit GridIndex(const Grid& grid) {
    for (std::size_t d = 0; d < grid.dimensions.size() && d < 3; ++d) dims_[d] = grid.dimensions[d];
  }

  const Grid::Dimension& dimension(std::size_t d) const { return dims_[d]; }
  /// Radix 2 has one adjacency, whatever was asked for (torus-2QoS.conf(5)).
  bool wraps(std::size_t d) const { return dims_[d].wraps && dims_[d].radix > 2; }
  std::uint64_t size() const { return std::uint64_t{dims_[0].radix} * dims_[1].radix * dims_[2].radix; }

  /// x counts most, z least.
  std::uint32_t index(const Position& at) const {
    return (at[0] * dims_[1].radix + at[1]) * dims_[2].radix + at[2];
  }
  Position position(std::uint32_t index) const {
    return {index / dims_[2].radix / dims_[1].radix, index / dims_[2].radix % dims_[1].radix,
            index % dims_[2].radix};
  }
  /// The neighbour one step up (or down) dimension `d`; nothing at the border of an open one, or if it is
  /// absent.
  std::optional<Position> neighbor(Position at, std::size_t d, bool up) const {
    const std::uint32_t radix = dims_[d].radix;
    const bool at_border = at[d] == (up ? radix - 1 : 0);
    if (radix < 2 || (at_border && !wraps(d))) return std::nullopt;
    at[d] = (at[d] + (up ? 1 : radix - 1)) % radix;
    return at;
  }

 private:
  std::array<Grid::Dimension, 3> dims_{};
};

/// Description of the switch at a position, without prefix.
inline std::string grid_name(const GridIndex::Position& at) {
  return fmt::format("sw_{}_{}_{}", at[0], at[1], at[2]);
}

}  // namespace rch::fabric
