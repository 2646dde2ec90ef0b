#pragma once

#include "sa/path_request.h"
#include "sa/path_walk.h"

namespace rch::sa {

/// Appends PathRecords from one end port to another, at most `wish.most` (sm-sa 8.2, 8.3). `back`: ways to
/// the LIDs of the source, for one that is asked for many destinations; null: not kept.
void find_paths(const Snapshot& snapshot, const PathWish& wish, PathEnd from, PathEnd to,
                std::vector<std::uint8_t>& records, std::vector<WaysTo>* back = nullptr);

}  // namespace rch::sa
