#pragma once

// What the core tells while it works. The core prints nothing; whoever calls it renders these events. Their
// references live for the call only.

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "chains/balance.h"
#include "chains/chain.h"
#include "chains/multicast.h"
#include "fabric/quarantine.h"
#include "fabric/table_changes.h"
#include "isolation/change.h"
#include "verify/transition/update_plan.h"

namespace rch::chains {

/// Stages that are timed.
enum class Phase { discover, bind, verify, installed, update, commit };

struct PhaseFinished {
  Phase phase;
  double milliseconds = 0;
};

/// A live fabric was discovered.
struct FabricSeen {
  const std::vector<fabric::Quarantined>& quarantine;  ///< parts that the plan does without
  /// The cable of our own port, if it is not as the operator wants; it is used anyway.
  const std::optional<fabric::Quarantined>& own_cable;
  const std::vector<Guid>& absent;  ///< switches that are held back, and were not seen
};

/// A part of the fabric failed after the discovery. The fabric is looked at again, and it is left out.
struct PassRepeated {
  const std::string& reason;
};

struct LidsAssigned {
  const fabric::Fabric& fabric;             ///< with these LIDs
  const std::vector<std::string>& changes;  ///< ports whose LID could not stay, and why
};

/// The policy is bound; its diagnostics are complete.
struct PolicyBound {};

/// What becomes of kept routes beside routes computed afresh.
enum class Rebalancing {
  keep,       ///< the fresh ones are not clearly better
  recompute,  ///< the fresh ones replace them
  other_sls,  ///< the fresh ones are better, but hosts would need other SLs, for which traffic has to stop
  not_asked,  ///< the fresh ones are better, but the policy does not ask for balancing now
};

/// Installed routes that were kept, against routes computed afresh.
struct BalanceCompared {
  Balance kept, fresh;
  Rebalancing decision = Rebalancing::keep;
};

// StepOutcome (chains/chain.h) is the event of one executed step.

/// The chain ended, with tables or without.
struct ChainFinished {
  const std::vector<StepReport>& steps;
  bool degraded = false;  ///< ChainRun::degraded
};

/// Against the installed tables.
struct TablesCompared {
  fabric::TableChanges changes;
};

struct GroupsRouted {
  const fabric::Fabric& fabric;
  const std::vector<fabric::MulticastGroup>& groups;
  const MulticastReport& report;
};

/// The tables are complete and do not change any more.
struct TablesFinal {
  const fabric::Fabric& fabric;
  const ChainRun& run;
};

struct Proven {
  const fabric::Fabric& fabric;
  const fabric::RoutingTables& tables;
  const verify::Verdict& verdict;
};

/// The chain closes credit loops. With one of these engines in its first step it is proven.
struct SaferFirstEngines {
  StepId step;
  std::vector<std::string> engines;  ///< of those that were tried
  std::vector<std::string> tried;
};

/// The plan was made for another fabric.
struct FabricDiffers {
  const fabric::Fabric& planned;
  const fabric::Fabric& seen;
  bool carried = false;  ///< it only lost end ports, and the plan goes on without them; else it is refused
};

/// Links in use go down and come up again, because their MTU or VLs change.
struct LinksReset {
  std::size_t links = 0;
  std::size_t hosts = 0;     ///< links of end ports among them
  std::size_t rounds = 0;    ///< in which links between switches go down while other paths are in use
  std::size_t unspared = 0;  ///< links between switches without which some pair has no proven path
  std::size_t drained =
      0;               ///< LIDs without a path for a packet lifetime, or for some, in the updates of rounds
  double seconds = 0;  ///< of a packet lifetime
  bool accepted = false;
};

/// Tables that do without some links are written; then these links go down.
struct LinkRoundBegins {
  std::size_t round = 0;  ///< from 1
  std::size_t rounds = 0;
  std::size_t links = 0;
  std::shared_ptr<const fabric::RoutingTables> tables;
};

/// Links to parts that are left out are taken down, because what these parts hold is unsafe beside the target
/// tables.
struct LinksClosed {
  const fabric::Fabric& fabric;
  std::span<const PortId> ports;  ///< of switches, that lead there
  const std::string& why;
};

/// The tables are safe only for hosts that take the SL of each path from an SA: they are not written.
struct PathSlsNotAccepted {};

/// Packets of hosts to LIDs of switches close credit loops: the tables are not written.
struct SwitchLidsNotAccepted {};

/// No update plan was computed: the target tables have an accepted loop themselves.
struct UpdateNotJudged {};

/// No plan that keeps installed routes may be committed, or multicast groups would wait, so the chain runs
/// again.
struct RoutedAfresh {
  const std::string& reason;
};

/// The options ask for SL2VL maps, and the routing has its own.
struct OptionMapsIdle {};

/// The fabric cannot keep partitions apart as asked.
struct PartitionsUnenforced {
  const std::vector<std::string>& what;
  bool accepted = false;
};
/// Ports get other P_Keys.
struct PartitionsChange {
  const isolation::PKeyChange& change;
};
struct UpdatePlanned {
  const verify::Change& change;
  const verify::UpdatePlan& plan;
  const policy::Options& options;
  bool accept_static = false;
};

/// Paths are missing as an update leaves them that was broken off, and packets that it sent may still be in
/// the fabric: no entry is added until they have left.
struct UpdateWaits {
  double seconds = 0;
  std::uint64_t lids = 0;   ///< to which some switch has no path until then
  std::uint64_t pairs = 0;  ///< of a host and a LID of another host, likewise
};

using Event =
    std::variant<PhaseFinished, FabricSeen, PassRepeated, LidsAssigned, PolicyBound, BalanceCompared,
                 StepOutcome, ChainFinished, TablesCompared, GroupsRouted, TablesFinal, Proven,
                 SaferFirstEngines, FabricDiffers, LinksReset, LinkRoundBegins, LinksClosed,
                 PathSlsNotAccepted, SwitchLidsNotAccepted, PartitionsUnenforced, PartitionsChange,
                 RoutedAfresh, OptionMapsIdle, UpdateNotJudged, UpdatePlanned, UpdateWaits>;
using Observer = std::function<void(const Event&)>;

/// Does nothing without an observer.
inline void tell(const Observer& observe, const Event& event) {
  if (observe) observe(event);
}

/// Runs f() and tells how long it took.
template <class F>
auto timed(const Observer& observe, Phase phase, F&& f) {
  const auto begin = std::chrono::steady_clock::now();
  auto result = f();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  tell(observe, PhaseFinished{phase, took.count()});
  return result;
}

}  // namespace rch::chains
