#pragma once

#include <vector>

#include "engines/common/incremental/changed_hops.h"
#include "engines/common/port_selection/candidates.h"
#include "engines/updn/orientation.h"

namespace rch::engines::updn {

/// Hops of up-down paths (docs/engines.md). A switch that can reach the destination by going down alone
/// does so, even if a path that goes up first would be shorter. So no path has a down-up turn.
struct LegalHops {
  HopMatrix down;  ///< of paths that only go down
  HopMatrix all;   ///< as `down` where that is known, else up to the neighbor with the fewest
};

LegalHops legal_hops(const fabric::SwitchGraph& graph, const Orientation& orientation);

struct UpdatedLegalHops {
  LegalHops now;
  /// Entries of either matrix that may differ from those of the installed tables, by joint ids.
  std::vector<common::ChangedHop> changed;
};

/// Hops of now, and where they differ from those of the installed tables. `orientation` orders all switches
/// by joint ids, as it did before. One sweep over the common links serves both; a second one covers the
/// destinations that other links bring nearer.
UpdatedLegalHops update_legal_hops(const common::Rerouting& rerouting, const Orientation& orientation);

/// `legal` with paths for the pairs that have none: by any link, up to a switch with a legal path
/// (`connect_roots`, docs/engines.md). They make no forwarding loop, but may make credit loops.
HopMatrix joined_hops(const fabric::SwitchGraph& graph, const HopMatrix& legal);

/// The output ports on such paths.
class LegalPaths : public common::CandidateRule {
 public:
  /// `joined` is null unless pairs without a legal path are routed too. Keeps references.
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
