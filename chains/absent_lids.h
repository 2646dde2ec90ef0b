#pragma once

#include "chains/plan.h"

namespace rch::chains {

/// Engines that keep installed routes keep the entries of LIDs that nobody has any more (docs/engines.md).
/// The proof takes no packets to these: it finds that they are in no forwarding loop, but not which channels
/// they hold. They are safe where nothing else differs: then all packets go
/// as they did when the installed tables were proven. Otherwise their entries are removed from `tables`.
/// `installed`: the plan whose routes were kept; null: `tables` has no such entries.
void drop_unproven_absent_lids(const Plan* installed, const fabric::Fabric& fabric,
                               fabric::RoutingTables& tables);

}  // namespace rch::chains
