#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "report/layout.h"

namespace rch::report {

/// Switches that are drawn together, and the cables among them.
struct Part {
  std::vector<SwitchId> switches;  ///< ascending
  std::vector<std::vector<std::uint32_t>>
      neighbors;                     ///< by index of the switch: others, ascending, each once
  std::vector<std::uint32_t> hosts;  ///< by index: CA and router ports on the switch

  std::uint32_t size() const { return static_cast<std::uint32_t>(switches.size()); }
};

/// A part as it is drawn by itself.
struct Drawing {
  std::vector<float> x, y;         ///< by index of the switch
  std::vector<std::uint8_t> rank;  ///< by index
  std::vector<Box> groups;
  std::vector<std::uint32_t> radix;
  std::uint32_t ranks = 0;
  float pitch = 1;  ///< Area::pitch
};

/// Coordinates by index of the switch, then dimension.
using Coordinates = std::vector<std::vector<std::uint32_t>>;

/// Finds the coordinates of a torus or mesh, also one that lacks cables or switches, by the squares that its
/// cables form: opposite sides of a square lead along the same dimension. Nothing for other parts.
std::optional<Coordinates> grid_coordinates(const Part& part);
/// Nothing if there are more than three dimensions, or two switches at one place.
std::optional<Drawing> draw_grid(const Part& part, const Coordinates& coordinates);

/// Nothing unless nearly all cables join neighboring ranks. A rank is the distance to the switches with
/// hosts.
std::optional<Drawing> draw_tree(const Part& part);

/// Draws groups that have more cables inside than chance would give them (modularity, Blondel et al. 2008).
Drawing draw_groups(const Part& part);

/// Components of a part without the switches that `keeps` does not name. Numbers by index, in the order of
/// their first switches; kNoComponent for the others.
inline constexpr std::uint32_t kNoComponent = 0xFFFFFFFF;
std::vector<std::uint32_t> components(const Part& part, const std::vector<bool>& keeps);

}  // namespace rch::report
