#pragma once

#include "sa/query.h"
#include "sa/snapshot.h"

namespace rch::sa {

/// Answers what needs the snapshot only. An attribute that is not known, or a method that it does not have,
/// is answered with its status.
Answer answer(const Snapshot& snapshot, const Requester& requester, const Query& query);

}  // namespace rch::sa
