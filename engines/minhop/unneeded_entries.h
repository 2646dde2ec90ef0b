#pragma once

#include "fabric/forwarding_tables.h"
#include "fabric/sub_fabric.h"

namespace rch::engines::minhop {

/// Removes entries towards aggregation nodes that only aggregation nodes could use that need no path to them
/// (fabric::AggregationNodes). On a fat tree these paths go down and up again and close credit loops. Does
/// nothing for a view that is not the whole fabric.
void remove_unneeded_entries(const fabric::SubFabric& view, fabric::ForwardingTables& lfts);

}  // namespace rch::engines::minhop
