#pragma once

#include <nlohmann/json_fwd.hpp>

#include "policy/model/policy.h"

namespace rch::cli {

/// Everything a policy says, in the words of its files.
nlohmann::ordered_json policy_json(const policy::Policy& policy);

}  // namespace rch::cli
