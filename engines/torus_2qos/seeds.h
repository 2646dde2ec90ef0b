#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engines/torus_2qos/placement.h"
#include "engines/torus_2qos/torus_2qos.h"

namespace rch::engines::torus_2qos {

/// A seed whose switches and links the view has.
struct LocatedSeed {
  struct Switch {
    SwitchId sw;
    Position at;
  };
  std::size_t number = 0;        ///< counted from 1 in file order
  std::vector<Switch> switches;  ///< the seed switch first, then its named neighbours
};

struct UsableSeeds {
  std::vector<LocatedSeed> usable;   ///< at least one; the first is the one to use
  std::vector<std::string> remarks;  ///< why seeds before the first usable one are not
  /// The failure of seeds that have a dimension without links. They give the positions of their
  /// switches, which are known to be true once all other switches have a place.
  std::optional<EngineFailure> unlinked{};
};

/// Finds the usable seeds (torus-2QoS.conf(5)). Fails when a seed is wrong in itself, or none fits the
/// fabric.
Attempt<UsableSeeds> find_usable_seeds(const fabric::SubFabric& view, const Geometry& geometry,
                                       const Options& options);

/// A usable seed that puts a switch elsewhere than the seed in use. Service levels would change with the
/// seed.
struct SeedConflict {
  std::size_t seed = 0;  ///< counted from 1 in file order
  SwitchId sw;
  Position by_seed;  ///< where the seed puts it
  Position actual;   ///< where it is placed
  /// Datelines that resolve the conflict; none when the links of the seed do not point along their axes.
  std::optional<std::array<std::int32_t, kDimensions>> datelines;
};
std::vector<SeedConflict> seed_conflicts(const Geometry& geometry, const UsableSeeds& seeds,
                                         const Placement& placement);

}  // namespace rch::engines::torus_2qos
