#pragma once

#include "sa/query.h"
#include "sa/snapshot.h"

namespace rch::sa {

/// TraceRecord (IBTA vol. 1, 15.2.5.18): places of its fields.
namespace trace_record {
using hw::Field;
inline constexpr std::size_t kSize = 48;  ///< with the padding
inline constexpr Field kGidPrefix{0, 0, 64}, kIdGeneration{8, 0, 16}, kNodeType{11, 0, 8}, kNodeId{12, 0, 64},
    kChassisId{20, 0, 64}, kEntryPortId{28, 0, 64}, kExitPortId{36, 0, 64}, kEntryPort{44, 0, 8},
    kExitPort{45, 0, 8};
}  // namespace trace_record

/// GetTraceTable: the nodes on one path, source and destination included. The request has the fields of a
/// PathRecord, and names one source and one destination.
Answer answer_trace(const Snapshot& snapshot, const Requester& requester, const Query& query);

}  // namespace rch::sa
