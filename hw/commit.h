#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "fabric/block_writes.h"
#include "fabric/routing_tables.h"
#include "hw/delta.h"
#include "hw/mastership.h"
#include "hw/multicast_tables.h"
#include "hw/port_plan.h"
#include "hw/switch_plan.h"
#include "hw/write_pass.h"

namespace rch::hw {

struct CommitOptions {
  SubnetOptions subnet{};
  ManagerOptions manager{};
  bool dry_run = false;  ///< read and compare only
  bool whole = false;    ///< write PortInfo fields that agents may forget, even if nothing else differs
};

/// What a commit wrote, or would write.
struct CommitReport {
  std::size_t switches = 0;      ///< SwitchInfo Sets
  std::size_t end_ports = 0;     ///< PortInfo Sets of LIDs
  std::size_t switch_ports = 0;  ///< PortInfo Sets of parameters
  std::size_t resets = 0;        ///< links taken down because their MTU or VLs had to change
  std::size_t sl2vl_tables = 0;
  std::size_t lft_blocks = 0;  ///< in all batches
  std::size_t arbitration_blocks = 0;
  std::size_t multicast_removals = 0;  ///< blocks from which ways are taken away before the paths change
  std::size_t multicast_blocks = 0;    ///< those, and the blocks to which ways are added
  std::size_t armed = 0;               ///< ports
  std::size_t activated = 0;           ///< ports
  SmpCounters smps;                    ///< of the whole commit, reads included
  std::chrono::duration<double, std::milli> elapsed{};
  std::vector<std::string> remarks;

  std::size_t writes() const {
    return switches + end_ports + switch_ports + resets + sl2vl_tables + lft_blocks + arbitration_blocks +
           multicast_blocks + armed + activated;
  }
};

/// Everything a commit will write besides the forwarding blocks, worked out before anything is written.
struct Preparation {
  TableDelta delta;            ///< its blocks are what the batches of a commit must bring about
  fabric::RoutingTables held;  ///< what the switches hold, with rows like the wanted ones; no steps. SL2VL
                               ///< maps only if they change
  PortPlan ports;
  SwitchPlan switches;
  std::vector<Image> arbitration;  ///< blocks of VL arbitration
  MulticastChange multicast;
  std::vector<std::string> remarks;  ///< what the fabric cannot hold as it is wanted
  SmpCounters before;
  std::chrono::steady_clock::time_point started;

  bool empty() const {
    return delta.empty() && ports.empty() && switches.empty() && arbitration.empty() && multicast.empty();
  }
};

/// Reads what the fabric holds and works out what has to be written. Writes nothing.
///
/// `live` must be fresh from discover(), `lids` name all end ports that take part (fabric::plan_lids),
/// `tables` be computed for them on live.fabric. Fails (fabric) when another SM is master, when a switch
/// cannot hold the tables, and when an answer is missing; the message names port, route and table.
Result<Preparation> prepare(SmpClient& client, const LiveFabric& live,
                            std::span<const fabric::LidAssignment> lids, const fabric::RoutingTables& tables,
                            const CommitOptions& options);

/// Puts LIDs and tables into a live fabric and its links to work, as `opensm -o` does: one pass, every Set
/// compared with its answer, every table read back. Writes only what differs; on a fabric that is as wanted
/// it writes nothing and is no subnet manager even for a moment.
///
/// `batches` lead from the tables held to the wanted ones: of each, all blocks are acknowledged and read back
/// before the next is sent (fabric::one_batch writes all at once). Fails (fabric) when an answer is missing
/// or not what was written, and when the fabric changed meanwhile. After a failure part of the fabric may be
/// written; a further run completes it.
Result<CommitReport> commit(SmpClient& client, const LiveFabric& live, const fabric::RoutingTables& tables,
                            const Preparation& preparation, std::span<const fabric::Batch> batches,
                            const CommitOptions& options);

/// How long a packet can stay in a switch: what a batch that `waits` is given.
Milliseconds packet_life_time(const SubnetOptions& options);

}  // namespace rch::hw
