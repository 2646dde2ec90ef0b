#pragma once

#include <cstdint>

#include "fabric/fabric.h"
#include "fabric/forwarding_tables.h"

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

}  // namespace rch::fabric
