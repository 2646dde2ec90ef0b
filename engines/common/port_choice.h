#pragma once

#include "engines/common/candidates.h"
#include "engines/common/earlier_plan.h"
#include "engines/common/port_plan.h"

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
  /// What of the tables in force is taken over unseen; empty: nothing.
  Settled settled = {};
};

/// Tables of all switches of the view: among the candidates always the port with the fewest entries so far,
/// the first in scan order among equals, unless the options say otherwise; hosts on the switch itself and its
/// own LID need no choice (routing-engines 2.2, 2.3). Without candidates the entry is kNoPath.
fabric::ForwardingTables choose_ports(const ChoiceInput& input);

}  // namespace rch::engines::common
