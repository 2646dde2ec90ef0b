#pragma once

#include "cli/output.h"
#include "fabric/routing_tables.h"

namespace rch::cli {

/// Says what switches may choose from by adaptive routing. Nothing where they follow their entries alone.
void report_groups(Output& output, const fabric::RoutingTables& tables);

/// Warns where paths are followed by the entries alone, and switches may choose other ports.
void warn_of_choices(Output& output, const fabric::RoutingTables& tables);

}  // namespace rch::cli
