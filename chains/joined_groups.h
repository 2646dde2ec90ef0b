#pragma once

#include <vector>

#include "chains/plan.h"
#include "fabric/multicast.h"

namespace rch::chains {

/// The groups of `plan` that hosts joined (Plan::joined), with the members that `now` still has. No ports.
std::vector<fabric::MulticastGroup> joined_groups(const Plan& plan, const fabric::Fabric& now);

/// Planned groups and joined ones, ascending MLID. One that is both has the members of both.
std::vector<fabric::MulticastGroup> merged(std::vector<fabric::MulticastGroup> planned,
                                           std::vector<fabric::MulticastGroup> joined);

}  // namespace rch::chains
