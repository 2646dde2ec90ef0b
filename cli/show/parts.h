#pragma once

#include "cli/json.h"

#include "policy/model/policy.h"

// The parts of `rch show policy` that files of their own describe, in the words of those files.

namespace rch::cli {

Json partitions_json(const policy::Policy& policy);
Json qos_json(const policy::Policy& policy);
Json enhanced_qos_json(const policy::Policy& policy);
/// Only files that say something.
Json step_files_json(const policy::Policy& policy, const policy::StepFiles& files);
Json fabric_files_json(const policy::Policy& policy);

/// The name of a port group.
const std::string& group_name(const policy::Policy& policy, policy::GroupId id);

}  // namespace rch::cli
