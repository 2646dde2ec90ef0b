#pragma once

#include <string>
#include <vector>

#include "fabric/sub_fabric.h"

namespace rch::engines::common {

/// The cables of a view without the slow ones.
struct FastCables {
  fabric::SwitchGraph graph;
  std::vector<std::string> remarks;  ///< which were left out
};

/// Leaves out the cables between switches that run below what both their ends could do. What a switch can do
/// is judged by the fastest link it has, for a fabric file does not tell what a port enables; a link of
/// unknown rate is neither slow nor a measure.
FastCables without_throttled(const fabric::SubFabric& view);

}  // namespace rch::engines::common
