#pragma once

#include "fabric/rate_limits.h"
#include "policy/bind/bind.h"

namespace rch::chains {

/// The rate limits of `enhanced_qos_policy_file` for every cabled port of a channel adapter. Empty without
/// that file: ports keep what they have. A file without rules takes all limits away.
fabric::RateLimitTables rate_limit_tables(const policy::BoundPolicy& bound);

}  // namespace rch::chains
