#pragma once

#include "policy/bind/bind.h"

namespace rch::policy {

/// Ports that the QoS policy names by node, and ports, groups and rates of the enhanced QoS policy,
/// checked against the fabric (config-files 7, 9). Groups are bound.
void check_qos(const BoundPolicy& bound, Diagnostics& diagnostics);

}  // namespace rch::policy
