#pragma once

#include <vector>

#include "base/ids.h"

namespace rch::engines {

/// A tree over switches for multicast packets. It does not select among parallel links.
struct SpanningTree {
  std::vector<SwitchId> order;   ///< switches in the tree, the root first, each behind its parent
  std::vector<SwitchId> parent;  ///< by switch; none for the root and outside of the tree

  friend bool operator==(const SpanningTree&, const SpanningTree&) = default;
};

}  // namespace rch::engines
