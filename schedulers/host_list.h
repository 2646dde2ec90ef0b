#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rch::schedulers {

/// Host lists as Slurm writes them (hostlist expressions of slurm.conf(5)): `host[001-128,200],login1`.

/// The names as one list: those that differ in their last digits share brackets. The order is by name, then
/// by number; a name that occurs twice is written once.
std::string folded(std::vector<std::string> names);

/// The names of a list, in its order. Several brackets in a name are multiplied out. Fails (usage) on a
/// bracket that is not closed, a range that is none, and on more than 1,000,000 names.
Result<std::vector<std::string>> unfolded(std::string_view list);

}  // namespace rch::schedulers
