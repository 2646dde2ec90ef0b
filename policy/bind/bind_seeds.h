#pragma once

#include "policy/bind/bind.h"

namespace rch::policy {

/// Checks the seeds of all torus-2QoS steps on the fabric (config-files 5, torus-2qos 1.4). A broken seed is
/// an error when no other seed of its file is usable, else a warning.
void check_seeds(const BoundPolicy& bound, Diagnostics& diagnostics);

}  // namespace rch::policy
