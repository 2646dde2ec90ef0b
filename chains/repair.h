#pragma once

#include "chains/chain.h"
#include "chains/plan.h"
#include "chains/repaired_paths.h"

namespace rch::chains {

/// Why no plan is made where PlanRequest::repairs asks for one.
inline constexpr std::string_view kNothingToRepair = "no path that was lost can be repaired";

/// What takes the place of a run of the chain where traffic has to be restored at once.
struct Repair {
  ChainRun run;
  RepairedPaths paths;
};

/// The installed tables on the fabric of now, with other entries only where packets to a LID do not arrive
/// (repaired_paths.h). Engines, balance and minimal paths do not count: the next plan of the chain sees to
/// them. The multicast tree is the installed one, its parts joined anew where it has lost a branch. Where
/// service levels or SL2VL maps depend on the place of a switch, switches that are new are left out.
Repair repair(const policy::BoundPolicy& bound, const Plan& installed);

/// True if a further repair, of the tables that this one makes, restores the pairs that it leaves without a
/// path: installed entries close cycles with their new paths only until these entries are replaced.
bool is_followed_by_whole(const policy::BoundPolicy& bound, const Plan& installed, Repair& made);

}  // namespace rch::chains
