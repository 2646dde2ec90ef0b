#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "fabric/fabric.h"

namespace rch::fabric {

struct LidOptions {
  std::uint8_t lmc = 0;             ///< 0..7, of CA and router ports
  bool lmc_esp0 = false;            ///< enhanced port 0 gets 2^lmc LIDs too
  bool reassign = false;            ///< ignore the LIDs that ports hold
  const Fabric* planned = nullptr;  ///< a port without a LID gets the one of its GUID here, if that is free
  Lid top = kMaxUnicastLid;         ///< highest LID that every switch's table can hold
};

struct LidPlan {
  std::vector<LidAssignment> lids;  ///< every end port that has a link, and every switch
  std::vector<std::string>
      changes;  ///< one line for each port whose valid-looking LID could not stay, and why
};

/// LIDs for every end port, as OpenSM gives them (sm-sa 3.1): the origin port first, then ports in
/// opensm_order of their GUID; a LID that a port has, aligned, in range and free stays; otherwise the lowest
/// free aligned range. Two ports that claim the same LID: active before init, then the lower GUID keeps it.
/// Fails (invalid) when the LID space is exhausted.
Result<LidPlan> plan_lids(const Fabric& fabric, const LidOptions& options);

}  // namespace rch::fabric
