#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/sparse_set.h"
#include "fabric/fabric.h"
#include "fabric/pkey_tables.h"
#include "policy/model/partitions.h"

namespace rch::policy::partitions {

/// The fabric that partitions apply to.
struct Place {
  const fabric::Fabric& fabric;
  PortId sm;                                  ///< the port that SELF stands for; none: not known
  std::span<const SparseSet<PortId>> groups;  ///< by GroupId; empty where no member names one
};

using fabric::PKeyTables;

/// The tables as OpenSM fills fresh ones: index 0 is for the P_Key of `indx0`, else for that of the default
/// partition (with allow_both_pkeys its full one only); the others follow by P_Key, in the order of OpenSM's
/// map (low byte first), limited before full. Tables are as long as they need be, whatever ports can hold.
PKeyTables lay_out(const Partitions& partitions, const Place& place);

/// Reports members that the fabric does not have, and what check_overlaps() could not tell without it.
void check_on_fabric(const Partitions& partitions, const Place& place, Diagnostics& diagnostics);

}  // namespace rch::policy::partitions
