#pragma once

// Paths that the rules of an engine leave missing, although cables join the ends. They are found as a repair
// finds them (chains/repaired_paths.h), and close no cycle with the paths that there are.

#include "chains/repaired_paths.h"
#include "policy/bind/bind.h"
#include "verify/verify.h"

namespace rch::chains {

/// Gives packets between hosts and switches, in both directions, the paths that `tables` of this fabric lack:
/// up*/down* has none between a leaf and a root that its cable was pulled from. `max_op_vls`: of the proof.
/// Returns whether entries were replaced.
bool reach_switches(const fabric::Fabric& fabric, std::uint8_t max_op_vls, fabric::RoutingTables& tables);

/// The same for packets between hosts: up*/down* has no path between hosts on two roots. Pairs of aggregation
/// nodes that need no path get none. `switch_lids`: the tables close no credit loop with packets to LIDs of
/// switches, and shall close none.
RepairedPaths reach_hosts(const fabric::Fabric& fabric, std::uint8_t max_op_vls, bool switch_lids,
                          fabric::RoutingTables& tables);

/// True if the entry of some switch for a LID of a host leads nowhere: answers from there do not come back.
bool has_gaps(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts);

/// True if pairs of hosts without a path are all that forbids the tables, and the engines may leave such
/// pairs: none imitates OpenSM or reads its tables from a file.
bool can_complete(const policy::BoundPolicy& bound, const verify::Verdict& verdict);

}  // namespace rch::chains
