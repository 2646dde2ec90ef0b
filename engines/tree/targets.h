#pragma once

#include <cstdint>
#include <vector>

#include "engines/tree/tree.h"

namespace rch::engines::tree {

/// One LID to route.
struct Target {
  Lid lid;
  PortNum attach;            ///< port of its switch that delivers to it; 0 for the switch itself
  bool compute = false;      ///< a compute node's first LID
  std::uint32_t number = 0;  ///< decides which of several ways are taken

  friend bool operator==(const Target&, const Target&) = default;
};

/// Everything to route by column of the switch it hangs on. Numbers run through the leaves in index order:
/// compute nodes, as many for each leaf as the widest has; then other end ports; then switches.
struct Targets {
  std::vector<Target> all;
  std::vector<std::uint32_t> first;  ///< by column, and one past the last: its first target

  std::span<const Target> in(std::uint32_t begin_column, std::uint32_t end_column) const {
    return std::span(all).subspan(first[begin_column], first[end_column] - first[begin_column]);
  }

  friend bool operator==(const Targets&, const Targets&) = default;
};

/// LIDs of end ports and switches of the tree. Those of one port get numbers apart, so that they leave leaves
/// by different neighbours.
Targets number_targets(const Tree& tree);

}  // namespace rch::engines::tree
