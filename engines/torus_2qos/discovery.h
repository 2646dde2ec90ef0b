#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engines/torus_2qos/seeds.h"
#include "engines/torus_2qos/torus.h"
#include "engines/torus_2qos/torus_2qos.h"

namespace rch::engines::torus_2qos {

/// The configured torus as found in a fabric.
struct DiscoveredTorus {
  Torus torus;
  std::size_t seed = 0;  ///< the one in use, counted from 1
  std::vector<SeedConflict> seed_conflicts;
  std::vector<std::string> remarks;
};

/// Places every switch, starting from the first usable seed. Fails as route() does, up to `radix-mismatch`.
Attempt<DiscoveredTorus> discover_torus(const fabric::SubFabric& view, const Options& options);

/// Switches on the ring (or open row) through the first usable seed, per dimension, whatever the configured
/// radix. None for a dimension without seed link, and where links do not tell straight on from a turn, as on
/// rings of four.
std::array<std::optional<std::uint32_t>, kDimensions> ring_lengths(const fabric::SubFabric& view,
                                                                   const Options& options);

}  // namespace rch::engines::torus_2qos
