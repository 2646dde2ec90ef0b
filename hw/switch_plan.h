#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "fabric/routing_tables.h"
#include "hw/live_fabric.h"
#include "hw/port_plan.h"

namespace rch::hw {

/// The Sets of SwitchInfo around those of the tables.
struct SwitchPlan {
  std::vector<Image> before;  ///< packet life time set, PortStateChange cleared
  /// LinearFDBTop raised, once what stands below it is known (Preparation::beyond_tops).
  std::vector<Image> raise;
  std::vector<Image> after;   ///< tops as they shall stay, once the target tables are installed
  std::vector<Image> at_end;  ///< what every switch must show when all is done

  bool empty() const { return before.empty() && raise.empty() && after.empty(); }
};

/// `resets`: that take links down, before all of this. What they set off is no change of the fabric.
SwitchPlan plan_switches(const LiveFabric& live, const fabric::RoutingTables& tables,
                         const SubnetOptions& options, std::span<const Image> resets);

/// Fails (fabric) when a switch or port cannot hold the tables.
Result<void> check_capacity(const LiveFabric& live, const fabric::RoutingTables& tables);

/// Highest multicast LID of any group; the one below the first if there is none.
Lid multicast_top(const fabric::RoutingTables& tables);

}  // namespace rch::hw
