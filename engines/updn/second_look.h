#pragma once

#include <cstdint>
#include <span>

#include "engines/common/port_selection/port_context.h"
#include "engines/engine.h"

namespace rch::engines::updn {

/// Fabrics with cables between switches of one rank, unless they have more end ports or switches than can be
/// followed pair by pair, or ports with several LIDs.
bool gets_second_look(const common::WeightedGraph& links, std::span<const std::uint32_t> ranks);

/// `ordered`: tables along an order of all switches. `searched`: by OpenSM's search, which keeps to none
/// between switches of one rank. The latter, mended so that they close no circle, are taken where they spread
/// hosts better: fewer destinations on the link with most, or a better worst shift. Where tables are in
/// force, if they leave more of them as they are.
StepTables look_again(const common::PortContext& plan, StepTables ordered, StepTables searched);

}  // namespace rch::engines::updn
