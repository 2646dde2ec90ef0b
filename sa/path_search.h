#pragma once

#include "sa/path_request.h"
#include "sa/path_walk.h"

namespace rch::sa {

/// LIDs in a row.
struct Lids {
  std::uint16_t first, count;
};
/// Those that paths of an end may have.
Lids lids_of(const fabric::Fabric& fabric, const PathEnd& end);

/// Appends PathRecords from one end port to another, at most `wish.most` (IBA 15.2.5). `ways`: those of
/// the source, if it is asked for many destinations; null: the two ways are walked.
void find_paths(const Snapshot& snapshot, const PathWish& wish, const PathEnd& from, const PathEnd& to,
                std::vector<std::uint8_t>& records, ManyWays* ways = nullptr);

}  // namespace rch::sa
