#pragma once

#include <string>
#include <vector>

#include "engines/torus_2qos/torus.h"

namespace rch::cli {

/// What a picture of a torus shows besides its switches and cables.
struct GridMarks {
  /// From source to destination, each next to the one before.
  std::vector<engines::torus_2qos::Position> path;
  /// By position: the next one towards the root of a tree; the root and empty positions have none. Only
  /// cables of the tree (and of the path) are drawn then. Empty: no tree.
  std::vector<engines::torus_2qos::Position> parent;
};

/// Draws the coordinate grid: the first two dimensions of radix above 1 as a plane, the higher coordinate
/// further right and up, one plane for each coordinate of the third. Lines end in a newline; a legend of the
/// signs in use comes last.
std::string draw_grid(const engines::torus_2qos::Torus& torus, const GridMarks& marks);

}  // namespace rch::cli
