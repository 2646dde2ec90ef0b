#pragma once

#include <cstddef>
#include <span>

#include "fabric/routing_tables.h"
#include "verify/columns.h"
#include "verify/injection.h"
#include "verify/lanes.h"
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
  std::size_t column_bytes;               ///< of columns in memory at a time
  bool path_sls;                          ///< false: all packets have SL 0
  bool loop_free;                         ///< Options::loop_free
};

}  // namespace rch::verify
