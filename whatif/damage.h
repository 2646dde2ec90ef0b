#pragma once

#include <vector>

#include "fabric/fabric.h"
#include "whatif/failure.h"

namespace rch::whatif {

/// What a failure leaves of a fabric.
struct Damage {
  /// The part that a subnet manager sees afterwards: nodes that cables join to it. Of several parts that with
  /// the most hosts counts, then that of the fabric's origin, then that of the lowest switch.
  fabric::Fabric fabric;
  /// CA and router ports of the whole fabric that hung on a switch and are not in that part, or lead nowhere
  /// now; those of hosts that fail themselves left out. Ascending.
  std::vector<PortId> cut_off;
  /// Of these, the ones whose own cable has not failed, and whose switch has not: something further away was
  /// their only way.
  std::uint64_t cut_off_beyond = 0;
  bool manager_cut_off = false;  ///< the port from which the fabric was seen is not in that part
};

/// `whole` keeps its LIDs in what is left of it. Fails where no fabric can be made.
Result<Damage> damaged(const fabric::Fabric& whole, const Failure& failure);

}  // namespace rch::whatif
