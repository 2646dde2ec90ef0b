#pragma once

#include <cstdint>

#include "fabric/fabric.h"
#include "fabric/forwarding_tables.h"

namespace rch::chains {

/// How evenly the entries for hosts lie on the ports between switches that have any (routing-engines 13).
struct Balance {
  std::uint64_t most = 0;  ///< entries of the fullest port
  double deviation = 0;    ///< standard deviation of entries per port
};

/// Tables by switch of the fabric.
Balance balance(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts);

/// True if one figure is lower by 5 % and the other no higher: what moving routes is worth (routing-engines
/// 10).
bool is_clearly_better(const Balance& fresh, const Balance& kept);

}  // namespace rch::chains
