#pragma once

#include <string>
#include <vector>

#include "engines/torus_2qos/torus.h"

namespace rch::cli {

/// What a picture of a torus shows besides its switches and cables.
struct GridMarks {
  std::vector<engines::torus_2qos::Position>
      path;  ///< from source to destination, each next to the one before
};

/// Draws the coordinate grid: the first two dimensions of radix above 1 as a plane, the higher coordinate
/// further right and up, one plane for each coordinate of the third. Lines end in a newline; a legend of the
/// signs in use comes last.
std::string draw_grid(const engines::torus_2qos::Torus& torus, const GridMarks& marks);

}  // namespace rch::cli
