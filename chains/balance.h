#pragma once

#include <cstdint>

#include "fabric/fabric.h"
#include "fabric/routing_tables.h"

namespace rch::chains {

/// How evenly paths lie on the links between switches when every host sends to every LID (routing-engines
/// 13.2).
struct Balance {
  std::uint64_t most = 0;  ///< flows on the fullest link
  double deviation = 0;    ///< standard deviation of flows per link
};

Balance balance(const fabric::Fabric& fabric, const fabric::RoutingTables& tables);

/// True if one figure is lower by 5 % and the other no higher: what moving routes is worth (routing-engines
/// 10).
bool is_clearly_better(const Balance& fresh, const Balance& kept);

}  // namespace rch::chains
