#pragma once

#include "cli/captures.h"
#include "cli/live.h"
#include "cli/loaded.h"
#include "cli/run_log.h"

namespace rch::cli {

/// `rch run --observe`: audits what another subnet manager installed, until it is stopped. Writes nothing to
/// the fabric.
Exit observe(const ServiceOptions& options, const Loaded& loaded, const Captures& captures,
             Connection connection, const RunLog& log);

}  // namespace rch::cli
