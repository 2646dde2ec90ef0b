#pragma once

#include <string>

#include "fabric/assembly.h"

namespace rch::fabric {

/// Adds the switches of a topology first, then links and hosts. The topology must be sound.
void assemble(const Grid& grid, Assembly& assembly);
void assemble(const Hypercube& cube, Assembly& assembly);
void assemble(const HyperX& hyperx, Assembly& assembly);
void assemble(const Clos& clos, Assembly& assembly);
void assemble(const FatTree& tree, Assembly& assembly);
void assemble(const RailTree& tree, Assembly& assembly);
void assemble(const Dragonfly& dragonfly, Assembly& assembly);
void assemble(const DragonflyPlus& dragonfly, Assembly& assembly);
void assemble(const SlimFly& fly, Assembly& assembly);
void assemble(const RandomRegular& graph, Assembly& assembly);

/// Why a topology makes no fabric; empty if it is sound.
std::string objection(const Topology& topology);

}  // namespace rch::fabric
