#pragma once

#include "engines/common/incremental/affected_entries.h"
#include "engines/common/port_selection/candidates.h"
#include "engines/common/port_selection/port_context.h"

namespace rch::engines::common {

/// In what the LIDs of one port shall differ (routing-engines 2.3, 5).
enum class Diversity {
  systems,  ///< the system, then the node they leave towards
  cables,   ///< the cable alone: all candidates lead to one node
};

/// What the rows of all switches are chosen from.
struct SelectionInput {
  const PortContext& plan;
  const CandidateRule& rule;
  Diversity diversity = Diversity::systems;
  /// What of the installed tables is looked at again; null: everything.
  const AffectedEntries* affected = nullptr;
};

/// Tables of all switches of the view: among the candidates always the port with the fewest entries so far,
/// the first in scan order among equals, unless the options say otherwise; hosts on the switch itself and its
/// own LID need no choice (routing-engines 2.2, 2.3). Without candidates the entry is kNoPath.
///
/// With `affected`, entries of LIDs that nobody has now stay where their port leads as it did, or nowhere:
/// what comes back finds them, and nothing was written meanwhile (routing-engines 9). They make no loop, for
/// all that are left were made together.
fabric::ForwardingTables select_ports(const SelectionInput& input);

}  // namespace rch::engines::common
