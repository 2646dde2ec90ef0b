#pragma once

#include <cstddef>
#include <span>

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
};

}  // namespace rch::verify
