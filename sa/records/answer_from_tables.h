#pragma once

// Records that say what the tables of a snapshot hold. A record type is one row: its size, its components,
// and a function that lists its records. Comparison with the component mask is the same for all (listing.h).

#include <optional>

#include "sa/query.h"
#include "sa/snapshot.h"

namespace rch::sa {

/// Answers a Get or GetTable of such a record, any other method of it with a status. Nothing if the attribute
/// is another one.
std::optional<Answer> answer_from_tables(const Snapshot& snapshot, const Requester& requester,
                                         const Query& query);

}  // namespace rch::sa
