#pragma once

#include <cstdint>
#include <span>

#include "engines/common/port_selection/port_context.h"
#include "engines/engine.h"

namespace rch::engines::updn {

/// True for fabrics with links between switches of one rank, if they are small enough to follow all pairs of
/// hosts and every port has one LID.
bool can_repair(const common::WeightedGraph& links, std::span<const std::uint32_t> ranks);

/// The repair pass of updn and dnup (docs/decisions/0012). `ordered` are tables along an order of all
/// switches. `searched` are tables of OpenSM's search, which ignores any order between switches of one rank.
/// Returns the searched tables, made acyclic, where they distribute paths better: fewer destinations on the
/// most loaded link, or a better worst shift. With installed tables, returns those that change fewer entries.
StepTables repair_search(const common::PortContext& context, StepTables ordered, StepTables searched);

}  // namespace rch::engines::updn
