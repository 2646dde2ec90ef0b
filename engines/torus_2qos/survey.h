#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engines/torus_2qos/seeds.h"
#include "engines/torus_2qos/torus.h"
#include "engines/torus_2qos/torus_2qos.h"

namespace rch::engines::torus_2qos {

/// The configured torus, found in a fabric.
struct Survey {
  Torus torus;
  std::size_t seed = 0;  ///< the one in use, counted from 1
  std::vector<Contradiction> contradictions;
  std::vector<std::string> remarks;
};

/// Anchors the coordinates at the first usable seed and places every switch. Refuses as route() does, up to
/// `radix-mismatch`.
Attempt<Survey> survey(const fabric::SubFabric& view, const Options& options);

/// Length of the ring (or open row) through the first usable seed in each dimension, counted along the cables
/// whatever the radices say. Nothing for a dimension without seed link, or where the cables do not tell
/// straight on from a turn: a ring of four is a square as any other.
std::array<std::optional<std::uint32_t>, kDimensions> ring_lengths(const fabric::SubFabric& view,
                                                                   const Options& options);

}  // namespace rch::engines::torus_2qos
