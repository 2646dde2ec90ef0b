#pragma once

#include "sa/query.h"
#include "sa/snapshot.h"

namespace rch::sa {

/// MultiPathRecord, GetMulti: PathRecords from some ports to others (IBA 15.2.5).
Answer answer_multi_path(const Snapshot& snapshot, const Requester& requester, const Query& query);

}  // namespace rch::sa
