#pragma once

#include "policy/bind/bind.h"

namespace rch::policy {

/// Checks the seeds of all torus-2QoS steps on the fabric (torus-2QoS.conf(5)). A broken seed is
/// a warning when another seed of its file is usable. What the fabric of today lacks is one in any case: the
/// step fails, and its fallback takes its place.
void check_seeds(const BoundPolicy& bound, Diagnostics& diagnostics);

}  // namespace rch::policy
