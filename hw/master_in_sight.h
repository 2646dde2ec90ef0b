#pragma once

#include "hw/mastership.h"

namespace rch::hw {

/// A silent SM counts as master when it is the one our port was told to send its traps to. On our own port
/// nobody is silent: its process ended without a trace.
bool is_master(const LiveFabric& live, const OtherSm& sm);

/// GUID, node, LID and priority of an SM.
std::string describe(const LiveFabric& live, const OtherSm& sm);

}  // namespace rch::hw
