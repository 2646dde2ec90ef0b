#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engines/torus_2qos/placement.h"
#include "engines/torus_2qos/torus_2qos.h"

namespace rch::engines::torus_2qos {

/// A seed whose switches the view has, linked as the seed says.
struct SettledSeed {
  struct Anchor {
    SwitchId sw;
    Position at;
  };
  std::size_t number = 0;       ///< counted from 1 in file order
  std::vector<Anchor> anchors;  ///< the seed switch first, then its named neighbours
};

struct Anchorage {
  std::vector<SettledSeed> usable;   ///< at least one; the first is the one to use
  std::vector<std::string> remarks;  ///< why seeds before the first usable one were passed over
};

/// Reads all seeds and finds the usable ones (torus-2qos 1.3-1.5). Every seed must be complete and consistent
/// in itself, or the configuration is refused; a seed that does not fit the fabric is passed over.
Attempt<Anchorage> anchor(const fabric::SubFabric& view, const Lattice& lattice, const Options& options);

/// A later usable seed that puts a switch elsewhere than it stands: service levels would change if the seed
/// in use dropped out.
struct Contradiction {
  std::size_t seed = 0;  ///< counted from 1 in file order
  SwitchId sw;
  Position seen;  ///< where the seed puts it
  Position real;  ///< where it stands
  /// Datelines that bring the seed into line; nothing when its links do not point along their axes.
  std::optional<std::array<std::int32_t, kDimensions>> datelines;
};
std::vector<Contradiction> contradictions(const Lattice& lattice, const Anchorage& anchorage,
                                          const Placement& placement);

}  // namespace rch::engines::torus_2qos
