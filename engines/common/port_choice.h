#pragma once

#include "engines/common/candidates.h"
#include "engines/common/destinations.h"

namespace rch::engines::common {

/// What the rows of all switches are chosen from.
struct ChoiceInput {
  const fabric::SubFabric& view;
  const CandidateRule& rule;
  const DestinationOrder& order;
  bool count_switch_lids = false;  ///< they raise the load counters too (routing-engines 1.6)
};

/// Tables of all switches of the view: among the candidates always the port with the fewest entries so far,
/// the first in scan order among equals; hosts on the switch itself and its own LID need no choice
/// (routing-engines 2.2, 2.3). Without candidates the entry is kNoPath.
fabric::ForwardingTables choose_ports(const ChoiceInput& input);

}  // namespace rch::engines::common
