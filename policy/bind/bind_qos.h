#pragma once

#include "policy/bind/bind.h"

namespace rch::policy {

/// Ports that the QoS policy names by node, and ports, groups and rates of the enhanced QoS policy,
/// checked against the fabric (OpenSM's doc/QoS_management_in_OpenSM.txt and docs/manager.md, Rate limits).
/// Groups are bound.
void check_qos(const BoundPolicy& bound, Diagnostics& diagnostics);

}  // namespace rch::policy
