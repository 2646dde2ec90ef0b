#pragma once

#include "engines/torus_2qos/torus.h"
#include "engines/torus_2qos/torus_2qos.h"

namespace rch::engines::torus_2qos {

// What makes a fabric unfit for the hop rule at first sight, each with the name of its failure. proof.h
// judges the rest.

/// `switch-unplaced`: switches of the view that the links do not tie to one position. OpenSM routes on
/// without them and cuts their hosts off; here that is a failure.
Attempt<void> check_placed(const fabric::SubFabric& view, const Lattice& lattice, const Placement& placement);

/// `radix-mismatch`: the fabric is plainly smaller than the configured torus. Either most positions are
/// empty, or links leap over coordinates that no switch has.
Attempt<void> check_radix(const fabric::SubFabric& view, const Torus& torus);

/// `ring-disjoint`: rings that fall into several segments. All of them are named.
Attempt<void> check_rings(const fabric::SubFabric& view, const Torus& torus);

}  // namespace rch::engines::torus_2qos
