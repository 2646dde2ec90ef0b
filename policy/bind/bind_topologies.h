#pragma once

#include <vector>

#include "policy/bind/bind.h"

namespace rch::policy {

/// The ports of every topology, by index. Reports what does not fit (docs/keywords.md).
std::vector<IdSet<PortId>> bind_topologies(const Policy& policy, const fabric::Fabric& fabric,
                                           const std::vector<SparseSet<PortId>>& groups,
                                           Diagnostics& diagnostics);

}  // namespace rch::policy
