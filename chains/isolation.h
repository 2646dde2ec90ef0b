#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chains/events.h"

namespace rch::chains {

/// Word that accepts partitions that are not kept apart as asked.
inline constexpr std::string_view kUnenforcedPartitions = "unenforced-partitions";

/// Tells of `missing`, what the options ask for to keep tenants apart and the fabric cannot do. Fails
/// (forbidden) when there is any, unless it is accepted.
Result<void> check_isolation(const std::vector<std::string>& missing, bool accepted, const Observer& observe);

/// Tells of ports that get other P_Keys. Fails (forbidden) when some state in between lets pass what neither
/// the tables before nor those after do.
Result<void> check_partition_change(const isolation::PKeyChange& change, const fabric::Fabric& fabric,
                                    const Observer& observe);

}  // namespace rch::chains
