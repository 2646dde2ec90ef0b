#pragma once

#include "fabric/fabric_builder.h"
#include "policy/model/policy.h"

namespace rch::policy {

/// What `node_name_map_name` calls nodes.
fabric::NodeNames given_names(const Policy& policy);

}  // namespace rch::policy
