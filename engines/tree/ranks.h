#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engines/common/failure.h"

namespace rch::engines::tree {

/// Rank of a switch that reaches no root.
inline constexpr std::uint8_t kUnranked = 255;

/// Hops from every switch to the nearest root.
struct Ranks {
  std::vector<std::uint8_t> of;  ///< by switch, 0 at the roots
  std::uint8_t max = 0;          ///< highest rank of all
  std::vector<std::string> remarks;
};

/// Ranks the switches (OpenSM's osm_ucast_ftree.c). `roots` are node GUIDs; a CA stands for its switch.
/// Without them, the switches farthest from the CAs are the roots. Fails when the view is too small for a
/// tree
/// (`too-small`), names no root (`no-roots`), or has a single rank (`one-level`).
common::Attempt<Ranks> rank_switches(const fabric::SubFabric& view, std::span<const Guid> roots,
                                     bool as_opensm = false);

}  // namespace rch::engines::tree
