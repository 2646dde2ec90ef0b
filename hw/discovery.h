#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "hw/exchange.h"
#include "hw/live_fabric.h"
#include "hw/quarantine.h"
#include "hw/sweep.h"

namespace rch::hw {

struct LookOptions {
  bool strict = false;                                     ///< a fabric that is not seen whole fails
  CutOff cut_off = CutOff::idle;                           ///< of view_of()
  std::vector<LateFault> late = {};                        ///< what is left out, known before the walk
  std::shared_ptr<const fabric::Fabric> before = nullptr;  ///< of Sweep
  bool is_master = false;     ///< silent subnet managers are not waited for (Patience::brief)
  Lid given_up_sm{};          ///< LiveFabric::given_up_sm; not waited for either
  Sweep::Cables silent = {};  ///< of the look before: not waited for
  /// What was silent is asked once more if the walk was no longer than this.
  Milliseconds patience = Milliseconds::max();
  /// A list of cables that fits none is passed over, and LiveFabric::list_ignored says so; else that fails.
  bool passes_unfit_list = false;
};

/// Walks the fabric breadth first from our own port by directed routes (IBA 14.4), then asks the subnet
/// managers that it found who they are.
///
/// Fails (fabric) as view_of() does, naming ports with their routes. Two end ports that hold the same LID are
/// no failure: the one that may not keep it (OpenSM's osm_lid_mgr.c) is without a LID in `fabric` and keeps
/// it in `port_info`.
Task<Result<LiveFabric>> discover(Exchange& exchange, LookOptions options = {});

/// Looks at a part of a fabric that was discovered before: at the switches named by GUID, at all that tell of
/// a change or do not answer, and at what is behind their cables. Clears PortStateChange of those before it
/// looks, and ends when no switch tells of a change. Of the rest the answers from before count.
///
/// Takes `before.sweep` over. None: the changes do not end, a switch does not answer as it must, answers
/// contradict each other, or another subnet manager came or went. Then only discover() can tell.
Task<Result<std::optional<LiveFabric>>> look_again(Exchange& exchange, const LiveFabric& before,
                                                   std::vector<Guid> changed, bool strict = false);

/// Clears PortStateChange of the switches that show it. True if there were some: what was seen before may be
/// outdated, and only after another look does PortStateChange tell of all changes since (IBA 14.4).
Task<Result<bool>> clear_changes(Exchange& exchange, const LiveFabric& live);

}  // namespace rch::hw
