#pragma once

#include <vector>

#include "fabric/multicast.h"
#include "policy/bind/partitions/layout.h"

namespace rch::policy::partitions {

/// A group of a partition and its MLID.
struct PlannedGroup {
  const Partition* partition;
  const MulticastGroup* group;
  Lid mlid;
};
/// MLIDs ascend from 0xC000, the groups of the default partition first; when they run out, groups share them.
std::vector<PlannedGroup> planned_mlids(const Partitions& partitions);

/// The multicast groups that exist before anybody joins one: the broadcast groups and `mgid` groups of
/// partitions, with every port that may join as a member, so that a way for all is a way for whoever comes.
/// Those are the CA and router ports of the partition, and ports 0 of its switches where they are enhanced
/// (others cannot speak IP). MLIDs are those of planned_mlids(). Ways are left empty.
std::vector<fabric::MulticastGroup> planned_groups(const Partitions& partitions, const Place& place);

}  // namespace rch::policy::partitions
