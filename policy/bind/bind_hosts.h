#pragma once

#include "policy/bind/bind.h"

namespace rch::policy {

/// Reports channel adapters that are in no topology although their switch is in one (docs/keywords.md).
void check_hosts(const BoundPolicy& bound, Diagnostics& diagnostics);

}  // namespace rch::policy
