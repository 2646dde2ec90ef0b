#pragma once

#include <cstddef>
#include <span>

#include "fabric/aggregation_nodes.h"
#include "fabric/routing_tables.h"
#include "verify/columns.h"
#include "verify/injection.h"
#include "verify/lanes.h"
#include "verify/verify.h"
#include "verify/wiring.h"

namespace rch::verify {

/// What all checks of one proof read.
struct Context {
  const fabric::Fabric& fabric;
  const fabric::RoutingTables& tables;
  const Wiring& wiring;
  const Lanes& lanes;
  const Injection& injection;
  std::span<const Destination> destinations;
  std::span<const Destination> switches;  ///< LIDs of switches, if the proof covers them
  const Options& options;
  const fabric::AggregationNodes& aggregation;
};

/// No packet of the bare switch goes to that destination, and none needs to.
inline bool is_unneeded(const Context& context, SwitchId from, const Destination& to) {
  return from != to.owner.sw && !context.aggregation.needs_path(from, to.owner.sw) &&
         context.tables.adaptive.group(from, to.lid) == nullptr &&
         context.wiring.exit(from.index(), entry(context.tables.lfts, from, to.lid)).kind !=
             Exit::Kind::to_switch;
}

}  // namespace rch::verify
