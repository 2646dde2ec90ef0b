#pragma once

#include <vector>

#include "policy/model/policy.h"

namespace rch::policy {

/// Groups a rule is made of, if any.
std::vector<GroupId> operands(const GroupRule& rule);

/// Indices of all groups, each behind the groups it is made of; there are no cycles.
std::vector<std::size_t> dependency_order(const std::vector<PortGroup>& groups);

}  // namespace rch::policy
