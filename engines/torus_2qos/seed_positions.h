#pragma once

#include <span>
#include <string>
#include <vector>

#include "engines/torus_2qos/geometry.h"
#include "engines/torus_2qos/torus_2qos.h"

namespace rch::engines::torus_2qos {

/// A switch that a seed names.
struct SeedSwitch {
  std::string keyword;  ///< link that names it; empty for the seed switch itself
  Guid guid;
  Position at;  ///< where the seed puts it
};
/// The seed switch first, then its named neighbours.
using SeedSwitches = std::vector<SeedSwitch>;

/// Positions of the switches that the seeds name, without regard to the fabric (torus-2QoS.conf(5)). Fails
/// with `seed-incomplete`, `seed-split`, `seed-beyond-border` or `seed-conflict` when a seed is wrong in
/// itself.
Attempt<std::vector<SeedSwitches>> position_seeds(const Geometry& geometry, std::span<const Seed> seeds);

}  // namespace rch::engines::torus_2qos
