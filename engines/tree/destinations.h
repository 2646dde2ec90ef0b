#pragma once

#include <cstdint>
#include <vector>

#include "engines/tree/tree.h"

namespace rch::engines::tree {

/// One LID to route.
struct Destination {
  Lid lid;
  PortNum attach;         ///< port of its switch that delivers to it; 0 for the switch itself
  bool compute = false;   ///< first LID of a compute node
  std::uint32_t nid = 0;  ///< topological node identifier (Dmodc): its digits select ports

  friend bool operator==(const Destination&, const Destination&) = default;
};

/// All LIDs to route, by column of the switch they hang on.
struct Destinations {
  std::vector<Destination> all;
  std::vector<std::uint32_t> first;  ///< by column, and one past the last: index of its first destination

  std::span<const Destination> in(std::uint32_t begin_column, std::uint32_t end_column) const {
    return std::span(all).subspan(first[begin_column], first[end_column] - first[begin_column]);
  }

  friend bool operator==(const Destinations&, const Destinations&) = default;
};

/// Lists the LIDs of end ports and switches of the tree and assigns their NIDs in tuple order: compute nodes
/// first, each leaf padded to Tree::max_cn_per_leaf(); then other end ports; then switches. NIDs of the LIDs
/// of one port are spaced, so that the LIDs leave a leaf by different up groups.
Destinations list_destinations(const Tree& tree);

}  // namespace rch::engines::tree
