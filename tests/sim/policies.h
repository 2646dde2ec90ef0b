#pragma once

#include <memory>
#include <string>

#include "policy/model/policy.h"

namespace rch::sim::test {

/// The configuration of a manager: lines of an opensm.conf, with times that suit a simulation.
std::shared_ptr<const policy::Policy> read_policy(const std::string& text);

}  // namespace rch::sim::test
