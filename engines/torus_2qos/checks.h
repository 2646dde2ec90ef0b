#pragma once

#include "engines/torus_2qos/torus.h"
#include "engines/torus_2qos/torus_2qos.h"

namespace rch::engines::torus_2qos {

// Conditions of the hop rule that need no routes, each with the name of its failure. proof.h checks the rest.

/// `switch-unplaced`: switches whose position the links do not tell. OpenSM leaves them out, and their hosts
/// reach nobody; here that is a failure.
Attempt<void> check_placed(const fabric::SubFabric& view, const Geometry& geometry,
                           const Placement& placement);

/// `radix-mismatch`: the fabric is smaller than the configured torus. Most positions are empty, or links skip
/// coordinates that no switch has.
Attempt<void> check_radix(const fabric::SubFabric& view, const Torus& torus);

/// `ring-disjoint`: rings in several segments. Names all of them.
Attempt<void> check_rings(const fabric::SubFabric& view, const Torus& torus);

}  // namespace rch::engines::torus_2qos
