#pragma once

// OpenSM's golden runs as tables to be judged.

#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/routing_tables.h"

namespace rch::test {

/// One line of cases.tsv.
struct GoldenRun {
  std::string name;     ///< "torus2d-6x5/minhop"
  std::string engine;   ///< that routed
  bool loops = false;   ///< verdict of the independent check, path SLs and SL2VL maps included
  std::string ibdmchk;  ///< the best informed verdict of ibdmchk, as in the file
};
std::vector<GoldenRun> golden_runs();

/// Tables as OpenSM wrote them; SL2VL maps where it did; for torus-2QoS the path SLs of its rule.
fabric::RoutingTables golden_tables(const GoldenRun& run, const fabric::Fabric& fabric);

}  // namespace rch::test
