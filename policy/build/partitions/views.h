#pragma once

#include <vector>

#include "policy/build/qos/partitions_view.h"
#include "policy/build/qos/sl_use.h"
#include "policy/model/partitions.h"

namespace rch::policy::partitions {

/// The partitions as QoS policies refer to them. Full members are counted where GUIDs alone name them.
std::vector<qos::KnownPartition> known_partitions(const Partitions& partitions);

/// SLs of partitions and of their multicast groups, each SL once for each kind.
std::vector<qos::SlUse> sl_uses(const Partitions& partitions);

}  // namespace rch::policy::partitions
