#pragma once

#include <cstdint>

#include "verify/columns.h"
#include "verify/metrics/metrics.h"
#include "verify/wiring.h"

namespace rch::verify {

Metrics::Shifts shifts(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts,
                       const Wiring& wiring);

Metrics::Samples samples(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts,
                         const Wiring& wiring, const MetricsOptions& options);

}  // namespace rch::verify
