#pragma once

#include <vector>

#include "engines/common/incremental/changed_hops.h"
#include "engines/common/port_selection/candidates.h"
#include "engines/updn/orientation.h"

namespace rch::engines::updn {

/// Hops of up-then-down routes (routing-engines 3.5). A switch that can reach the destination by going down
/// alone does so even if a way up would be shorter: so no switch below it ever turns up again.
struct LegalHops {
  HopMatrix down;  ///< going down all the way
  HopMatrix all;   ///< as `down` where that is known; else up to the neighbour with the fewest
};

LegalHops legal_hops(const fabric::SwitchGraph& graph, const Orientation& orientation);

struct LegalSince {
  LegalHops now;
  std::vector<common::ChangedHop>
      moved;  ///< entries of either matrix that may be others than by the earlier plan
};

/// Hops now, and which of them are others since. `orientation` is of the switches of both plans, and that of
/// either. One sweep for both: over the cables that they have in common, and once more for the destinations
/// that the others bring nearer.
LegalSince legal_hops(const common::Rerouting& rerouting, const Orientation& orientation);

/// `legal` with ways for the pairs that have none: by any cable, until a switch is met from which a legal way
/// leads on (`connect_roots`, routing-engines 3.6). Free of loops, not of credit loops.
HopMatrix joined_hops(const fabric::SwitchGraph& graph, const HopMatrix& legal);

/// The cables that the next hop of such routes may take.
class LegalPaths : public common::CandidateRule {
 public:
  /// `joined` is null unless illegal pairs are to be routed too. Keeps references.
  LegalPaths(const fabric::SwitchGraph& graph, const Orientation& orientation, const LegalHops& hops,
             const HopMatrix* joined)
      : graph_(graph), orientation_(orientation), hops_(hops), joined_(joined) {}

  void add_to(common::Candidates& candidates, SwitchId sw) const override;

 private:
  const fabric::SwitchGraph& graph_;
  const Orientation& orientation_;
  const LegalHops& hops_;
  const HopMatrix* joined_;
};

}  // namespace rch::engines::updn
