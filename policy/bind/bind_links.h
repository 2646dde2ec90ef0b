#pragma once

#include "policy/bind/bind.h"

namespace rch::policy {

/// Reports cables that topologies cut: inside a topology but listed at one end only, and between two
/// topologies of which neither has both ends. Topologies that no step uses do not count if there are steps.
void check_links(const BoundPolicy& bound, Diagnostics& diagnostics);

}  // namespace rch::policy
