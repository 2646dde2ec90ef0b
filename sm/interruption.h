#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/block_writes.h"
#include "fabric/fabric.h"
#include "verify/transition/update_plan.h"

namespace rch::sm {

/// An update from installed to target tables of one fabric. Keeps references.
struct TableUpdate {
  const fabric::Fabric& fabric;  ///< with the LIDs of the target
  const fabric::ForwardingTables& installed;
  const fabric::ForwardingTables& target;
  const verify::UpdatePlan& plan;
  bool resumes;  ///< an earlier update was broken off: entries that are missing may be those that it removed
};

/// The paths that are missing until an update is written.
struct Interruption {
  std::uint64_t lids = 0;    ///< to which some switch has no path meanwhile
  std::uint64_t pairs = 0;   ///< the most pairs of a host and a LID of another host that have none at once
  std::vector<Lid> which{};  ///< the LIDs, ascending
};

/// Counts paths that the target has. Nothing is interrupted by an update that drains nothing, unless it
/// resumes one.
Interruption interruption_of(const TableUpdate& update);

/// Counts pairs of a host and a LID of another host that the installed tables join and the target does not.
std::uint64_t pairs_lost_by(const TableUpdate& update);

}  // namespace rch::sm
