#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/routing_tables.h"

namespace rch::report {

/// How a part of a fabric is drawn.
enum class Shape : std::uint8_t {
  grid,    ///< a torus or mesh, switches at their coordinates
  tree,    ///< switches in rows by rank, those with hosts below
  groups,  ///< switches in rings, those that have most cables in common in the same one
};
/// `grid`, `tree`, `groups`.
std::string_view to_string(Shape shape);

/// A rectangle; y grows downwards. Two switches in a row are one unit apart.
struct Box {
  float left = 0, top = 0, right = 0, bottom = 0;
};

/// A part that is drawn with a border: what one step routes apart, or what no cable joins to the rest.
struct Area {
  Shape shape = Shape::groups;
  Box box;
  std::uint32_t switches = 0;
  std::size_t step = 0;                ///< index into RoutingTables::steps: the last one that covers it
  std::vector<std::uint32_t> radix{};  ///< of a grid: switches along each dimension
  std::uint32_t ranks = 0;             ///< of a tree
  float pitch = 1;  ///< of a grid: units from one switch to the next along the first two dimensions
};

/// Where the switches of a fabric are drawn.
struct Layout {
  std::vector<float> x, y;          ///< by switch
  std::vector<std::uint8_t> rank;   ///< by switch: of a tree from 0, the switches with hosts; else 0
  std::vector<std::uint16_t> area;  ///< by switch: index into `areas`
  std::vector<Area> areas;
  std::vector<Box> groups;  ///< pods of trees, and rings of switches
};

/// Draws the fabric by its structure. Coordinates of a torus are those of the step that routes it
/// (fabric::SlRule). Other parts are grids where the squares of their cables say so, trees where cables join
/// neighboring ranks, else groups. The same input gives the same layout.
Layout lay_out(const fabric::Fabric& fabric, const fabric::RoutingTables& tables);

}  // namespace rch::report
