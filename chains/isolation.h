#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chains/events.h"
#include "policy/model/options.h"

namespace rch::chains {

/// Word that accepts partitions that are not kept apart as asked.
inline constexpr std::string_view kUnenforcedPartitions = "unenforced-partitions";

/// Tells of what the options ask for to keep tenants apart and rch does not do, and of `missing`, what the
/// fabric cannot do. Fails (forbidden) when there is any, unless it is accepted.
Result<void> check_isolation(const policy::Options& asked, std::vector<std::string> missing, bool accepted,
                             const Observer& observe);

}  // namespace rch::chains
