#pragma once

#include <cstdint>
#include <vector>

#include "fabric/routing_tables.h"
#include "verify/lanes.h"

namespace rch::verify {

/// Service level of the paths to `lid` by source switch, each below 16. Tables that do not hold the LID or
/// not all switches cannot be asked; nothing arrives then whatever the SL, which is 0.
void service_levels(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, Lid lid,
                    std::vector<std::uint8_t>& out);

/// Every service level that the rules of the steps are known to give. The walks still look for others.
SlSet expected_sls(const fabric::RoutingTables& tables);

}  // namespace rch::verify
