#pragma once

#include "sa/query.h"
#include "sa/snapshot.h"

namespace rch::sa {

/// MultiPathRecord, GetMulti: PathRecords from some ports to others (sm-sa 7.4).
Answer answer_multi_path(const Snapshot& snapshot, const Requester& requester, const Query& query);

}  // namespace rch::sa
