#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "chains/chain.h"
#include "chains/events.h"
#include "chains/joined_groups.h"
#include "fabric/cable_policy.h"
#include "fabric/lid_records.h"
#include "policy/build/rch_file/rch_file.h"
#include "verify/earlier_proof.h"
#include "verify/verify.h"

namespace rch::chains {

/// How the message of a chain without a plan ends.
inline constexpr std::string_view kTablesStay = "; tables in switches stay as they are";

/// Word that accepts credit loops which only packets to LIDs of switches close.
inline constexpr std::string_view kSwitchLids = "switch-lids";

/// Returns the digest of a text as 32 hex digits.
std::string digest(std::string_view text);

/// Target tables of one fabric with their proof, or with the findings that forbid to install them.
/// Copies share the snapshot and the tables.
struct Plan {
  std::shared_ptr<const fabric::Fabric> fabric;  ///< with the LIDs of the plan
  std::shared_ptr<const fabric::RoutingTables> tables;
  std::vector<StepReport> steps;
  bool degraded = false;
  verify::Verdict verdict;
  struct Digest {
    std::string file;  ///< file name without folder
    std::string hash;  ///< 32 hex digits

    friend bool operator==(const Digest&, const Digest&) = default;
  };
  std::vector<Digest> configuration;  ///< of the files of the policy, in the order they were read
  /// Main options that the commit needs.
  policy::Options options;
  /// Multicast groups that hosts have joined, also those of another subnet manager. Ascending.
  std::vector<Lid> joined{};
  /// The policy on `fabric`; null in a plan that was read from a file.
  std::shared_ptr<const policy::BoundPolicy> bound{};
  /// Channel dependency graph of the proof; null likewise.
  std::shared_ptr<const verify::ChannelDependencyGraph> channels{};
  /// What a proof of nearly the same plan can build on; null if there is nothing.
  std::shared_ptr<const verify::KnownDependencies> dependencies{};
  /// The cables that the operator lets take part, on which the plan was made and on which it is installed;
  /// null: all.
  std::shared_ptr<const fabric::CablePolicy> cables{};
  /// Where the plan is a repair (PlanRequest::repairs): pairs of hosts that were without a path, and that
  /// stay so.
  std::uint64_t lost_pairs = 0, left_pairs = 0;
};

struct PlanRequest {
  const Plan* installed = nullptr;  ///< whose LIDs and routes are kept where possible; null: none
  /// What another subnet manager left. Its joined groups stay, and LIDs that it forwards and nobody has are
  /// given to a port last. Null: the groups of `installed`.
  const Plan* found = nullptr;
  const JoinedGroups* joined = nullptr;      ///< groups that hosts have joined; null: not known
  policy::Settings settings;                 ///< grades of diagnostics, accepted findings
  const fabric::LidRecords* lids = nullptr;  ///< LIDs that ports had, also those that are away; null: none
  bool lids_of_fabric_first = false;  ///< LIDs that ports hold win over `lids`, unless the policy says no
  bool may_reassign = true;           ///< `reassign_lids` counts
  bool may_balance = true;            ///< off-sweep balancing may take place, if the policy asks for it
  bool may_change_sls = false;        ///< off-sweep balancing may take routes for which traffic has to stop
  bool for_dumps = false;             ///< TablesFinal has the distances that OpenSM's dump files show
  /// Only traffic that `installed` loses on the fabric is to be restored, at once: chains/repair.h. Pairs
  /// that stay without a path are accepted; without `regroups` a further repair restores them.
  bool repairs = false;
  /// With `repairs`: the chain has no plan. So what can be repaired counts, if not all; and groups that
  /// changed.
  bool regroups = false;
  /// Adaptive engines make groups of ports. False for switches that get entries alone.
  bool makes_groups = true;
  /// A plan of one step that closes a credit loop names the engines that would not, at the cost of trying
  /// them.
  bool suggests_engines = false;
  bool reports_drift = false;  ///< kept routes that load links more are compared with fresh ones anyway
};

/// Computes the tables of `policy` on `fabric` and proves them: LIDs, bind, run, multicast, verify.
/// The same input gives the same plan for any number of threads. Returns a plan whatever its verdict is.
///
/// Diagnostics of the binding are added to `diagnostics` with the grades of the settings.
/// Fails (invalid) when one of them is an error, or when the LID space is exhausted.
/// Fails (unroutable) when no engine of the chain routes the fabric.
Result<Plan> plan(std::shared_ptr<const policy::Policy> policy, fabric::Fabric fabric,
                  const PlanRequest& request, Diagnostics& diagnostics, const Observer& observe = {});

/// Proves the tables of a plan on the fabric as it is now. The verdict of a file is a claim only. End ports
/// that the fabric has lost since are left out of the plan.
/// `accept`: kinds of finding that are accepted; what the plan accepted counts no more.
/// Fails (forbidden) when `fabric` differs otherwise from that of the plan.
Result<Plan> prove_again(Plan plan, const fabric::Fabric& fabric, const std::vector<std::string>& accept,
                         const Observer& observe = {});

}  // namespace rch::chains
