#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "fabric/fabric.h"
#include "fabric/forwarding_tables.h"
#include "fabric/lid_records.h"

namespace rch::fabric {

struct LidOptions {
  std::uint8_t lmc = 0;             ///< 0..7, of CA and router ports
  bool lmc_esp0 = false;            ///< enhanced port 0 gets 2^lmc LIDs too
  bool reassign = false;            ///< ignore the LIDs that ports hold, and records
  const Fabric* planned = nullptr;  ///< a port without a LID gets the one of its GUID here, if that is free
  Lid top = kMaxUnicastLid;         ///< highest LID that every switch's table can hold
  /// LIDs that ports had. Those of ports that are away go to no other port while others are free. Null: none.
  const LidRecords* records = nullptr;
  /// Tables that the switches hold: a silent port may have a LID that they forward and nobody shows. It goes
  /// to no other port while others are free. Null: not known.
  const ForwardingTables* found = nullptr;
  bool records_first = true;  ///< a port gets its recorded LID even if it holds another one
  Lid of_origin{};            ///< the port where the subnet manager sits gets this one, whoever has it
};

struct LidPlan {
  std::vector<LidAssignment> lids;  ///< every end port that has a link, and every switch
  /// One line for each port whose valid-looking LID could not stay, and why; and one for each choice among
  /// records that contradict each other.
  std::vector<std::string> changes;
};

/// LIDs for every end port, as OpenSM gives them (OpenSM's osm_lid_mgr.c). A port gets, if it is aligned, in
/// range and free: its recorded LID; the LID it holds, if that is recorded for no other port; its planned
/// LID. Otherwise it gets the lowest free aligned range: the origin port first, then ports in opensm_order of
/// their GUID. Two ports that claim the same LID: active before init, then the lower GUID keeps it. Fails
/// (invalid) when the LID space is exhausted, also with the LIDs of ports that are away or silent.
Result<LidPlan> plan_lids(const Fabric& fabric, const LidOptions& options);

}  // namespace rch::fabric
