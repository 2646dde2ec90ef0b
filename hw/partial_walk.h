#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "hw/exchange.h"
#include "hw/live_fabric.h"
#include "hw/quarantine.h"
#include "hw/sweep.h"

namespace rch::hw {

/// The walk of look_again(), over a finished sweep: where something changed (docs/decisions/0019). None: it
/// cannot come to an end.
Task<Result<std::optional<View>>> walk_partly(Exchange& exchange, Sweep& sweep, std::vector<Guid> changed,
                                              bool strict);

/// Asks all switches for what has changed, and what was silent behind a cable for NodeInfo, or until `wakes`.
/// Returns the GUIDs of the switches to look at.
Task<Result<std::vector<Guid>>> ask_switches(Exchange& exchange, const LiveFabric& live,
                                             const std::function<bool()>& wakes);

}  // namespace rch::hw
