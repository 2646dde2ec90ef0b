#pragma once

#include "cli/output.h"
#include "verify/metrics/metrics.h"

namespace rch::cli {

/// Lines for people, or the member `metrics` of the JSON object.
void print_metrics(Output& output, const verify::Metrics& metrics);

}  // namespace rch::cli
