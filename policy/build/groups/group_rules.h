#pragma once

#include <vector>

#include "parsers/port_groups/port_groups.h"
#include "policy/model/policy.h"

namespace rch::policy {

/// The rules a written rule stands for: one per GUID, host or expression. Reports repeated GUIDs, expressions
/// that do not compile and those that look like file patterns. Union and subtract rules give nothing here.
std::vector<GroupRule> convert_rule(const parsers::port_groups::Rule& rule, Diagnostics& diagnostics);

}  // namespace rch::policy
