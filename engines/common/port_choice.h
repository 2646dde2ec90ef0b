#pragma once

#include "engines/common/candidates.h"
#include "engines/common/port_plan.h"
#include "engines/common/revisit.h"

namespace rch::engines::common {

/// In what the LIDs of one port shall differ (routing-engines 2.3, 5).
enum class Diversity {
  systems,  ///< the system, then the node they leave towards
  cables,   ///< the cable alone: all candidates lead to one node
};

/// What the rows of all switches are chosen from.
struct ChoiceInput {
  const PortPlan& plan;
  const CandidateRule& rule;
  Diversity diversity = Diversity::systems;
  /// What of the tables in force is looked at again; null: everything.
  const Revisit* revisit = nullptr;
};

/// Tables of all switches of the view: among the candidates always the port with the fewest entries so far,
/// the first in scan order among equals, unless the options say otherwise; hosts on the switch itself and its
/// own LID need no choice (routing-engines 2.2, 2.3). Without candidates the entry is kNoPath.
///
/// With `revisit`, entries of LIDs that nobody has now stay where their port leads as it did, or nowhere:
/// what comes back finds them, and nothing was written meanwhile (routing-engines 9). They make no loop, for
/// all that are left were made together.
fabric::ForwardingTables choose_ports(const ChoiceInput& input);

}  // namespace rch::engines::common
