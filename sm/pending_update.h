#pragma once

// What a commit is about to write, before its first write: for who has to agree to it (a change ticket), and
// for who keeps a record of it.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "chains/plan.h"
#include "hw/commit_steps.h"
#include "hw/live_fabric.h"
#include "hw/preparation.h"
#include "sm/interruption.h"
#include "verify/transition/update_plan.h"

namespace rch::sm {

/// A commit that was prepared and judged, and that has not written yet. Its references live for the call
/// only.
struct PendingUpdate {
  const hw::LiveFabric& live;
  const chains::Plan& target;
  const hw::Preparation& prepared;
  const verify::UpdatePlan& update;
  const hw::CommitSteps& steps;
  const Interruption& interruption;
};

/// What the fabric holds, as digests of 32 hex digits. Two states with equal digests are written to in the
/// same way, and have the same way back.
struct StateDigests {
  /// By node GUID, in the order of the fabric: the forwarding, multicast and SL2VL tables of each switch, as
  /// far as the target needs them read.
  std::vector<std::pair<Guid, std::string>> switches;
  std::string lids;    ///< LID and LMC of each port
  std::string links;   ///< which ports are joined, and which of them carry data
  std::string blocks;  ///< blocks of VL arbitration, rate limits and P_Keys that the target takes part in

  friend bool operator==(const StateDigests&, const StateDigests&) = default;
};

/// Needs hw::CommitOptions::keeps_installed.
StateDigests state_digests(const PendingUpdate& pending);

/// One step of a commit.
struct StepDigest {
  std::string name;
  std::uint64_t writes = 0;  ///< attributes that are set
  hw::Milliseconds waits{};  ///< for packets to leave
  /// Digest of what is set: ports, attributes and the fields that rch determines. Empty: nothing is set.
  std::string digest;

  friend bool operator==(const StepDigest&, const StepDigest&) = default;
};

/// The steps of a commit that set something or wait, in order. A wait whose end depends on the clock counts
/// as a packet lifetime.
std::vector<StepDigest> step_digests(const PendingUpdate& pending);

/// True if the switches forward as this plan says. Beyond its LIDs there are no entries. `installed` has rows
/// like `live`.
bool forwards_as(const chains::Plan& plan, const fabric::Fabric& live,
                 const fabric::ForwardingTables& installed);

/// Returns the first switch and LID of the plans with an entry that neither is empty nor stands in one of the
/// plans, and how many such entries there are. `installed` has rows like `live`.
struct ForeignEntries {
  std::uint64_t count = 0;
  Guid node{};
  Lid lid{};
};
ForeignEntries foreign_entries(std::span<const chains::Plan* const> plans, const fabric::Fabric& live,
                               const fabric::ForwardingTables& installed);

}  // namespace rch::sm
