#pragma once

#include <cstdint>

#include "fabric/fabric.h"
#include "fabric/routing_tables.h"

namespace rch::chains {

/// How evenly paths lie on the links between switches when every host sends to every LID
/// (docs/metrics.md).
struct Balance {
  std::uint64_t most = 0;  ///< flows on the fullest link
  double deviation = 0;    ///< standard deviation of flows per link
};

Balance balance(const fabric::Fabric& fabric, const fabric::RoutingTables& tables);

/// True if one figure is lower by 5 % and the other no higher: what moving routes is worth
/// (docs/engines.md).
bool is_clearly_better(const Balance& fresh, const Balance& kept);

/// True if the fullest link carries more than twice what it carried before.
bool is_much_fuller(const Balance& kept, const Balance& before);

/// True if an operator should hear of fresh tables: they are clearly better, or the kept ones are much fuller
/// than before and the fresh ones take 5 % off the fullest link, at whatever deviation.
bool is_worth_telling(const Balance& fresh, const Balance& kept, const Balance& before);

}  // namespace rch::chains
