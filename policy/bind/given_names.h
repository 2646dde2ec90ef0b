#pragma once

#include "fabric/fabric_builder.h"
#include "policy/model/policy.h"

namespace rch::policy {

/// Returns the names that `node_name_map_name` gives to nodes.
fabric::NodeNames given_names(const Policy& policy);

}  // namespace rch::policy
