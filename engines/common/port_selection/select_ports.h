#pragma once

#include "engines/common/incremental/affected_entries.h"
#include "engines/common/port_selection/candidates.h"
#include "engines/common/port_selection/port_context.h"

namespace rch::engines::common {

/// In what the LIDs of one port shall differ (OpenSM's osm_switch.c and opensm(8), DOR).
enum class Diversity {
  systems,  ///< the system, then the node that the output port leads to
  links,    ///< the link alone: all candidates lead to one node
};

/// What the tables of all switches are selected by.
struct SelectionInput {
  const PortContext& context;
  const CandidateRule& rule;
  Diversity diversity = Diversity::systems;
  /// The installed entries to select again; null: all.
  const AffectedEntries* affected = nullptr;
};

/// Selects an output port for every LID on every switch of the view: of the candidates the one with the
/// lowest load counter, of equals the first in scan order, unless the options say otherwise
/// (OpenSM's osm_switch.c). Hosts on the switch itself and its own LID need no selection. Without
/// candidates the entry is kNoPath.
///
/// With `affected`, an entry for a LID that no port has stays while its port has the peer that it had, or
/// none. A host that comes back finds its routes (opensm(8), `use_ucast_cache`). Such entries make no loop,
/// because all that are left were made together.
fabric::ForwardingTables select_ports(const SelectionInput& input);

}  // namespace rch::engines::common
