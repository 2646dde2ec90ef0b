#pragma once

#include "cli/output.h"
#include "verify/metrics/metrics.h"

namespace rch::cli {

Json metrics_json(const verify::Metrics& metrics);

/// Lines for people, or the member `metrics` of the JSON object.
void print_metrics(Output& output, const verify::Metrics& metrics);

}  // namespace rch::cli
