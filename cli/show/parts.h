#pragma once

#include <nlohmann/json_fwd.hpp>

#include "policy/model/policy.h"

// The parts of `rch show policy` that files of their own describe, in the words of those files.

namespace rch::cli {

nlohmann::ordered_json partitions_json(const policy::Policy& policy);
nlohmann::ordered_json qos_json(const policy::Policy& policy);
nlohmann::ordered_json enhanced_qos_json(const policy::Policy& policy);
/// Only files that say something.
nlohmann::ordered_json step_files_json(const policy::Policy& policy, const policy::StepFiles& files);
nlohmann::ordered_json fabric_files_json(const policy::Policy& policy);

/// The name of a port group.
const std::string& group_name(const policy::Policy& policy, policy::GroupId id);

}  // namespace rch::cli
