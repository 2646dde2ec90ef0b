#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engines/common/failure.h"

namespace rch::engines::tree {

/// Rank of a switch from which no root can be reached.
inline constexpr std::uint8_t kUnranked = 255;

/// How far every switch is from the roots.
struct Levels {
  std::vector<std::uint8_t> rank;  ///< by switch, 0 at the roots
  std::uint8_t lowest = 0;         ///< highest rank of all
  std::vector<std::string> remarks;
};

/// With `roots` (node GUIDs; a CA stands for its switch): hops from them. Without: the switches farthest from
/// the CAs are the roots (routing-engines 4.2). Fails when the view is too small for a tree (`too-small`),
/// names no root (`no-roots`), or has nothing above the leaves (`one-level`).
common::Attempt<Levels> levels(const fabric::SubFabric& view, std::span<const Guid> roots);

}  // namespace rch::engines::tree
