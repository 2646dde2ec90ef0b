#pragma once

#include <span>
#include <string>
#include <vector>

#include "engines/descriptor.h"
#include "engines/engine.h"
#include "fabric/adaptive_tables.h"

namespace rch::engines::adaptive {

/// How switches use their groups (`ar_sl_mask`, `shield_mode`).
struct Settings {
  std::uint16_t sls = 0xFFFF;  ///< service levels that are routed adaptively, one bit each
  bool fast_recovery = true;
};

struct Groups {
  fabric::AdaptiveTables tables;     ///< in the ids of the view; empty: no entry has a group
  std::vector<std::string> remarks;  ///< what the operator should know, one line each
};

/// The ports that switches may choose from besides that of their entry, for the tables that an engine made of
/// a view. Destinations on one switch share a group wherever they can. Switch LIDs stay static, as do
/// destinations on their own switch, and LIDs whose entries are not among the ports of their groups.
///
/// - up_down: all ports on the shortest legal paths along StepTables::up_order: down alone where that is
///   possible, else up. Packets turn from up to down at most once, so no choice closes a credit loop.
/// - parallel_cables: all cables to the neighbor to which the entry leads, where SL2VL maps are the same on
///   all of them. Whatever holds of the entries holds of the groups (NVIDIA calls it LAG).
/// - shortest: all ports on shortest paths by StepTables::hops. Nothing keeps these free of credit loops.
Groups make_groups(const fabric::SubFabric& view, const StepTables& made, GroupRule rule,
                   const Settings& settings);

}  // namespace rch::engines::adaptive
