#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/block_writes.h"
#include "fabric/fabric.h"
#include "fabric/routing_tables.h"

namespace rch::fabric {

/// What is to be written to get from one set of tables to another.
struct TableChanges {
  std::uint64_t entries = 0;
  std::uint64_t blocks = 0;    ///< of 64 entries, the unit of writing
  std::uint64_t switches = 0;  ///< that have such a block
};

/// Switches are the same when their GUIDs are; all routed entries of a new one count.
TableChanges table_changes(const Fabric& before, const ForwardingTables& lfts_before, const Fabric& after,
                           const ForwardingTables& lfts_after);

/// Tables of an earlier fabric as the switches of a later one still have them: rows like those of `target`,
/// no path where a switch is new. No steps. SL2VL maps only if some differ from those of the target where
/// traffic meets them.
RoutingTables carried_over(const Fabric& before, const RoutingTables& tables_before, const Fabric& after,
                           const RoutingTables& target);

/// Blocks of `target` that have other entries in `installed`, by block, then switch. `known`: by switch, how
/// many blocks of `installed` count, from LID 0; those beyond differ.
std::vector<LftBlock> differing_blocks(const ForwardingTables& installed, const ForwardingTables& target,
                                       std::span<const std::size_t> known);
/// The same for two sets of tables of one shape.
std::vector<LftBlock> differing_blocks(const ForwardingTables& installed, const ForwardingTables& target);

}  // namespace rch::fabric
