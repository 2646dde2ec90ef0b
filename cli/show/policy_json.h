#pragma once

#include "cli/json.h"

#include "policy/model/policy.h"

namespace rch::cli {

/// Everything a policy says, in the words of its files.
Json policy_json(const policy::Policy& policy);

}  // namespace rch::cli
