#pragma once

#include <string>
#include <vector>

#include "fabric/sub_fabric.h"

namespace rch::engines::common {

/// The links between switches of a view without the throttled ones.
struct UnthrottledLinks {
  fabric::SwitchGraph graph;
  std::vector<std::string> remarks;  ///< the links left out
};

/// Leaves out the links between switches that run below the rate of both ends. The rate of a switch is that
/// of its fastest link, because a fabric file does not tell what a port enables. A link of unknown rate is
/// not throttled and does not count.
UnthrottledLinks unthrottled_links(const fabric::SubFabric& view);

}  // namespace rch::engines::common
