#pragma once

#include <memory>

#include "base/diagnostic.h"
#include "fabric/cable_policy.h"
#include "policy/model/policy.h"

namespace rch::policy {

/// Returns the cables and switches that `topo_config_file`, where it counts, and `held_back_sw_file` let take
/// part; null: all of them.
std::shared_ptr<const fabric::CablePolicy> cable_policy(const Policy& policy);

/// Reports where the cables of a fabric are not as the list says, whether it counts or not.
void check_cables(const std::vector<ListedCable>& cables, const fabric::Fabric& fabric,
                  Diagnostics& diagnostics);

}  // namespace rch::policy
