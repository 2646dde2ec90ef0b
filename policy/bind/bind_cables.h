#pragma once

#include <memory>

#include "base/diagnostic.h"
#include "fabric/cable_policy.h"
#include "policy/model/policy.h"

namespace rch::policy {

/// Returns the cables and switches that `topo_config_file`, where it counts, and `held_back_sw_file` let take
/// part; null: all of them.
std::shared_ptr<const fabric::CablePolicy> cable_policy(const Policy& policy);

/// Returns how a message says that a fabric does not have something, as text behind its name. Where lists of
/// cables and switches count, it may be what they exclude.
std::string absence(const Policy& policy, Guid guid);

/// Reports where the cables of a fabric are not as the list says, whether it counts or not.
void check_cables(const Policy& policy, const fabric::Fabric& fabric, Diagnostics& diagnostics);

}  // namespace rch::policy
