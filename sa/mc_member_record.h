#pragma once

#include "sa/multicast_groups.h"
#include "sa/query.h"

namespace rch::sa {

/// MCMemberRecord: Get, GetTable, Set (join, create) and Delete (leave) (IBA 15.2.5).
Answer answer_mc_member(MulticastGroups& groups, const Snapshot& snapshot, const Requester& requester,
                        const Query& query);

}  // namespace rch::sa
