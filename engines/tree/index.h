#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric/sub_fabric.h"

namespace rch::engines::tree {

/// Index of a switch in OpenSM's sense: its rank, then one digit per level. Leaves that differ in their last
/// digits alone share the switches above them (OpenSM's osm_ucast_ftree.c).
using Tuple = std::array<std::uint16_t, 8>;
inline constexpr Tuple kNoTuple = {0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF};

struct IndexInput {
  const fabric::SubFabric& view;
  std::span<const std::uint8_t> rank;     ///< by switch
  std::uint8_t leaf_rank = 0;             ///< 1..7
  std::span<const std::uint8_t> is_leaf;  ///< by switch: has compute nodes
  /// `quasi_ftree_indexing`: indexes from the roots down instead of from the first leaf up. Leaves that share
  /// all but a few roots stay together.
  bool from_roots = false;
};

/// Tuples by switch; kNoTuple below the leaves.
std::vector<Tuple> index_switches(const IndexInput& input);

}  // namespace rch::engines::tree
