#pragma once

#include "sa/path_request.h"

namespace rch::sa {

/// Appends PathRecords from one end port to another, at most `wish.most` (sm-sa 8.2, 8.3).
void find_paths(const Snapshot& snapshot, const PathWish& wish, PathEnd from, PathEnd to,
                std::vector<std::uint8_t>& records);

}  // namespace rch::sa
