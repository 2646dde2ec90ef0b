#pragma once

#include <vector>

#include "policy/bind/bind.h"

namespace rch::policy {

/// The ports of every group, by GroupId. Reports rules that fit nothing and empty groups (docs/keywords.md
/// time).
std::vector<SparseSet<PortId>> bind_groups(const Policy& policy, const fabric::Fabric& fabric,
                                           Diagnostics& diagnostics);

}  // namespace rch::policy
