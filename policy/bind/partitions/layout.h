#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/sparse_set.h"
#include "fabric/fabric.h"
#include "policy/model/partitions.h"

namespace rch::policy::partitions {

/// The fabric that partitions apply to.
struct Place {
  const fabric::Fabric& fabric;
  PortId sm;                                  ///< the port that SELF stands for; none: not known
  std::span<const SparseSet<PortId>> groups;  ///< by GroupId; empty where no member names one
};

/// The P_Key tables that end ports are to hold: CA and router ports with a link, and ports 0 of switches.
struct PKeyTables {
  std::vector<PortId> ports;         ///< ascending
  std::vector<std::uint32_t> begin;  ///< by index of `ports`, and one past the last
  std::vector<std::uint16_t> keys;   ///< in the order of the table; 0 is a free slot

  std::span<const std::uint16_t> of(std::size_t port) const {
    return {keys.data() + begin[port], begin[port + 1] - begin[port]};
  }
};

/// The tables as OpenSM fills fresh ones: index 0 is for the P_Key of `indx0`, else for that of the default
/// partition (with allow_both_pkeys its full one only); the others follow by P_Key, in the order of OpenSM's
/// map (low byte first), limited before full. Tables are as long as they need be, whatever ports can hold.
PKeyTables lay_out(const Partitions& partitions, const Place& place);

/// Reports members that the fabric does not have, and what check_overlaps() could not tell without it.
void check_on_fabric(const Partitions& partitions, const Place& place, Diagnostics& diagnostics);

}  // namespace rch::policy::partitions
