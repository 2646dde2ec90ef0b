#pragma once

#include "parsers/common/bounded.h"
#include "policy/model/partitions.h"

namespace rch::policy::partitions {

/// Reports members that a later item gives another membership, ports that two partitions want at index 0, and
/// a subnet manager that ends as a limited member of the default partition: what can be told without a
/// fabric.
void check_overlaps(const Partitions& partitions, parsers::Bounded& report);

/// Two items with `indx0` in different partitions that share a port whatever the fabric.
struct SharedIndex0 {
  const Member* first;
  const Member* second;  ///< stands further down
  PKey first_pkey, second_pkey;
};
/// At most one for each pair of partitions.
std::vector<SharedIndex0> shared_index0(const Partitions& partitions);

/// The item that leaves the subnet manager's port a limited member of the default partition whatever the
/// fabric; null when there is none.
const Member* limits_sm(const Partition& everyone);

}  // namespace rch::policy::partitions
