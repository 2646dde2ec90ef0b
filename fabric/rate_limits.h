#pragma once

#include <array>
#include <cstdint>

#include "fabric/port_tables.h"

namespace rch::fabric {

/// What a port of an adapter may send on each SL, in Mbit/s; 0: no limit.
using RateLimits = std::array<std::uint32_t, 16>;

using RateLimitTables = PortTables<RateLimits, std::uint16_t>;

}  // namespace rch::fabric
