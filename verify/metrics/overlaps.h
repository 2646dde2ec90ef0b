#pragma once

#include <vector>

#include "verify/metrics/metrics.h"
#include "verify/wiring.h"

namespace rch::verify {

/// What the paths to the LIDs of one host have in common.
struct Overlaps {
  std::vector<Metrics::Overlap> switches;
  std::vector<Metrics::Overlap> systems;
};
Overlaps overlaps(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts, const Wiring& wiring);

}  // namespace rch::verify
