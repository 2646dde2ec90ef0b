#pragma once

#include "sa/multicast_groups.h"
#include "sa/query.h"

namespace rch::sa {

/// True if a PathRecord query has a multicast group for its destination, by MGID or MLID.
bool leads_to_group(const Query& query);

/// The path to that group: one record with what its members share (docs/subnet-administration.md, Multicast
/// groups). The source must be a member; if the query names none it is the requester.
Answer answer_group_path(const MulticastGroups& groups, const Snapshot& snapshot, const Requester& requester,
                         const Query& query);

}  // namespace rch::sa
