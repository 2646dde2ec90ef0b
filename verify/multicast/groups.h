#pragma once

#include <optional>
#include <vector>

#include "fabric/multicast.h"
#include "verify/survey.h"
#include "verify/verify.h"

namespace rch::verify {

/// What is wrong with the tables of the groups: at most one finding of each multicast kind. The links whose
/// both ends carry a group must make a tree that joins all its members: then what one of them sends, all
/// others get once.
std::vector<Finding> group_findings(const Context& context);

/// The first group whose packets hold `d.from` while they request `d.to`; null if there is none.
const fabric::MulticastGroup* cause(const Context& context, const Dependency& d);

}  // namespace rch::verify
