#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "fabric/routing_tables.h"
#include "hw/arbitration.h"
#include "hw/delta.h"
#include "hw/exchange.h"
#include "hw/installed_tables.h"
#include "hw/mastership.h"
#include "hw/pkeys.h"
#include "hw/port_plan.h"
#include "hw/rate_limits.h"
#include "hw/switch_plan.h"

namespace rch::hw {

struct CommitOptions {
  SubnetOptions subnet{};
  ManagerOptions manager{};
  bool dry_run = false;  ///< read and compare only
  bool whole = false;    ///< write PortInfo fields that agents may forget, even if nothing else differs
  bool brief = false;    ///< do not write them where tables differ either: traffic waits for those
  bool keeps_installed = false;  ///< Preparation::read
  /// Packets that an update sent which was broken off have left the fabric by then. No entry is added before.
  /// None: there was no such update.
  std::optional<TimePoint> drained_at{};
};

/// Everything a commit will write besides the forwarding blocks, worked out before anything is written.
struct Preparation {
  TableDelta delta;                 ///< its blocks are what the rounds of a commit must write
  fabric::RoutingTables installed;  ///< installed tables, with rows like the target ones; no steps. SL2VL
                                    ///< maps only if they change
  /// Switch ports that are up and lead to what is left out.
  std::vector<PortId> entrances;
  /// Links between switches become active behind all tables: packets would take them by installed entries
  /// that the target replaces.
  bool activates_last = false;
  std::vector<Image> closes;  ///< of them: the links are taken down first; see close_entrances()
  /// The blocks of the delta with entries that are not known, beyond LinearFDBTop. By block, then switch.
  std::vector<fabric::LftBlock> beyond_tops;
  PortPlan ports;
  SwitchPlan switches;
  std::vector<Image> arbitration;  ///< blocks of VL arbitration
  std::vector<Image> rate_limits;
  std::vector<Image> fdr10;  ///< MlnxExtPortInfo
  PKeyWrites pkeys;
  isolation::PKeyChange pkey_change;    ///< what they do
  std::vector<Image> blocks;            ///< of all kinds, as they shall be, whether they differ or not
  std::vector<std::string> unenforced;  ///< what of the partitions the fabric cannot do
  Lid sm_lid;                           ///< of our port, which all end ports will name as their SM
  MulticastChange multicast;
  std::vector<std::string> remarks;  ///< what of the target the fabric cannot hold
  /// What was read of the fabric, with the places of its blocks. Null without CommitOptions::keeps_installed.
  std::shared_ptr<const InstalledTables> read{};
  std::vector<Image> read_blocks{};
  SmpCounters before;  ///< when the preparation began
  TimePoint started;

  bool empty() const {
    return delta.empty() && ports.empty() && switches.empty() && arbitration.empty() && rate_limits.empty() &&
           fdr10.empty() && pkeys.removals.empty() && pkeys.additions.empty() && multicast.empty();
  }
};

/// What a preparation starts from. Keeps references.
struct PreparationInput {
  const LiveFabric& live;                       ///< fresh from discovery
  std::span<const fabric::LidAssignment> lids;  ///< of all end ports that take part (fabric::plan_lids)
  const fabric::RoutingTables& tables;          ///< computed for them on live.fabric
  const CommitOptions& options;
};

/// Fails (fabric) when another SM is master, but for a dry run, or a switch or port cannot hold the tables.
Result<void> check_target(const PreparationInput& input);
/// What ports say of attributes that only some makers have.
struct VendorSupport {
  std::vector<Image> rate_limits, fdr10;
};
/// Blocks of VL arbitration, rate limits and P_Keys that a target takes part in.
struct TargetBlocks {
  TargetBlocks(const LiveFabric& live, const fabric::RoutingTables& tables, const SubnetOptions& options,
               VendorSupport support);

  std::vector<Image> all() const;  ///< arbitration, rate limits, then P_Keys

  TargetArbitration arbitration;
  VendorSupport support;
  std::vector<Image> rate_limits;
  std::vector<Image> pkeys;  ///< places only: what they hold depends on what is installed
};
/// Compares. `installed` was read with the scope of the target: top LIDs of the tables, SL2VL if they have
/// it, and all `blocks`.
Result<Preparation> prepare(const PreparationInput& input, const InstalledTables& installed,
                            TargetBlocks blocks);

/// Packets must not come in by entrances any more, before anything else is written. A link that went down
/// comes up again and carries no data until a subnet manager makes its ends active.
void close_entrances(Preparation& preparation, const LiveFabric& live, const fabric::RoutingTables& tables,
                     const SubnetOptions& options);

/// Installed entries over links between switches that carry no data yet, and that the target replaces, count
/// as no path: packets do not take them, because these links become active behind all tables then.
void leave_inactive_links(Preparation& preparation, const LiveFabric& live,
                          const fabric::RoutingTables& tables);

/// How a live fabric differs from a target, in what is to be written.
struct TargetDifference {
  std::size_t lids = 0;  ///< end ports with another LID or LMC
  std::size_t lft_blocks = 0;
  std::size_t sl2vl_tables = 0;
  std::size_t multicast_blocks = 0;
  isolation::TableDifferences of_pkeys{};            ///< of all ports that the target gives P_Keys to
  std::optional<isolation::InstalledPKeys> pkeys{};  ///< that ports hold; nothing if the target has none

  bool none() const { return lids + lft_blocks + sl2vl_tables + multicast_blocks == 0 && of_pkeys.none(); }
};
/// Reads what the fabric holds. `target` is live.fabric with the target LIDs. Fails (fabric) when an answer
/// is missing.
Task<Result<TargetDifference>> read_difference(Exchange& exchange, const LiveFabric& live,
                                               const fabric::Fabric& target,
                                               const fabric::RoutingTables& tables);

/// Checks the target, reads what the fabric holds and works out what has to be written. Writes nothing. Fails
/// (fabric) as check_target() does, and when an answer is missing; the message names port, route and table.
/// `written`: tables that need not be read where they are known to stand.
Task<Result<Preparation>> prepare(Exchange& exchange, const LiveFabric& live,
                                  std::span<const fabric::LidAssignment> lids,
                                  const fabric::RoutingTables& tables, const CommitOptions& options,
                                  const WrittenTables* written = nullptr);

}  // namespace rch::hw
