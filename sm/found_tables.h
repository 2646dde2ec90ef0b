#pragma once

#include "base/result.h"
#include "chains/adoption.h"
#include "hw/exchange.h"
#include "hw/live_fabric.h"

namespace rch::sm {

/// Some switch forwards packets.
bool forwards(const hw::LiveFabric& live);

/// Some port says that another subnet manager was its last one.
bool had_another_manager(const hw::LiveFabric& live);
/// Reads all tables of a fabric as another subnet manager left them. Writes nothing. Fails (fabric) when an
/// answer is missing.
hw::Task<Result<chains::FoundTables>> read_found_tables(hw::Exchange& exchange, const hw::LiveFabric& live);

}  // namespace rch::sm
