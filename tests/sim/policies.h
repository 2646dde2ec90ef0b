#pragma once

#include <memory>
#include <string>

#include "policy/model/policy.h"

namespace rch::sim::test {

/// The configuration of a manager: lines of an opensm.conf, with times that suit a simulation. The word
/// BANDWIDTHS becomes the name of a file with rate limits.
std::shared_ptr<const policy::Policy> read_policy(std::string text);

}  // namespace rch::sim::test
