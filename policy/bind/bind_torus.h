#pragma once

#include "policy/bind/bind.h"

namespace rch::policy {

/// Lays the torus of a step on its part of the fabric, from a seed that is usable: reports radices that do
/// not fit and seeds in different coordinate frames (torus-2QoS.conf(5)).
void check_torus(const BoundPolicy& bound, const Step& step, Diagnostics& diagnostics);

}  // namespace rch::policy
