#pragma once

#include <span>
#include <string>
#include <vector>

#include "fabric/pkey_tables.h"
#include "hw/image.h"
#include "hw/live_fabric.h"
#include "isolation/change.h"
#include "isolation/installed_pkeys.h"

namespace rch::hw {

/// Every block of P_Keys that end ports, and switch ports with a host behind them, have room for. Payloads
/// are empty. `target` empty: none.
std::vector<Image> pkey_blocks(const LiveFabric& live, const fabric::PKeyTables& target);

/// Those of all end ports that were seen, and of the switch ports that they hang on.
std::vector<Image> all_pkey_blocks(const LiveFabric& live);
/// What these blocks say, `installed` being parallel to `blocks`, and what switch ports check.
isolation::InstalledPKeys installed_pkeys(const LiveFabric& live, std::span<const Image> blocks,
                                          std::span<const SmpData> installed);

/// What ports are to hold, in blocks.
struct TargetPKeys {
  std::vector<Image> blocks;  ///< as pkey_blocks() lists them, filled
  /// By PortId: how the port checks P_Keys. Empty: all ports are left as they are.
  std::vector<fabric::PartitionEnforcement> enforcement;
  std::vector<std::string> unenforced;  ///< what of the target the fabric cannot do; empty: it can do all
};

/// Fits `target` to the ports (IBA 14.2.5.7). A P_Key keeps its index in `installed`, which is parallel to
/// `blocks`, if it is to; index 0 is for the first key of the target. A switch port with a host behind it
/// gets the keys of that host from index 0 on, full ones before limited ones of the same partition, and
/// enforces them if its table is long enough. Ports between switches enforce nothing.
TargetPKeys fit_pkeys(const LiveFabric& live, const fabric::PKeyTables& target, std::vector<Image> blocks,
                      std::span<const SmpData> installed);

/// Tenants are kept apart in every transient state: ports lose the P_Keys of partitions that they leave, and
/// full memberships that become limited ones, before any port gets one. Each part may be written in any
/// order.
struct PKeyWrites {
  std::vector<Image> removals;   ///< what is installed, as far as the target allows it
  std::vector<Image> additions;  ///< the target
};
/// Blocks of `target` that differ from `installed`, which is parallel to it. Blocks of a port are side by
/// side.
PKeyWrites in_order(const std::vector<Image>& target, std::span<const SmpData> installed);

/// What `writes` of in_order() do, judged by the tables that they lead through.
isolation::PKeyChange change_of(const LiveFabric& live, const std::vector<Image>& target,
                                std::span<const SmpData> installed, const PKeyWrites& writes);

/// What a switch port lets pass when the host behind it has these P_Keys: its partitions, a full membership
/// in place of a limited one.
std::vector<std::uint16_t> passing_pkeys(std::span<const std::uint16_t> keys);

}  // namespace rch::hw
