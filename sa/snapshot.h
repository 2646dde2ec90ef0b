#pragma once

#include <memory>
#include <span>
#include <vector>

#include "chains/plan.h"
#include "hw/live_fabric.h"

namespace rch::sa {

/// What queries are answered from: one generation of the fabric with its installed tables. Immutable.
struct Snapshot {
  chains::Plan plan;                     ///< as installed; its fabric numbers nodes and ports
  PortId local;                          ///< the port of this subnet manager
  std::vector<hw::NodeInfo> nodes;       ///< by NodeId
  std::vector<hw::SwitchInfo> switches;  ///< by SwitchId
  std::vector<hw::PortInfo> ports;       ///< by PortId, as last read or written; all zero where never seen
  std::vector<hw::OtherSm> other_sms;
  std::vector<std::uint32_t> pkey_index;  ///< by PortId: index into the P_Key tables of the plan, or kNoPKeys

  static constexpr std::uint32_t kNoPKeys = ~0U;

  const fabric::Fabric& fabric() const { return *plan.fabric; }
  /// CA and router ports, and port 0 of switches.
  bool is_end_port(PortId port) const;
  /// P_Keys of an end port as the plan lays them out; 0 is a free slot. Ports that keep what they hold are
  /// taken for full members of the default partition.
  std::span<const std::uint16_t> pkeys(PortId end_port) const;
};

/// `live` is the fabric that `installed` was just written to.
std::shared_ptr<const Snapshot> snapshot_of(const hw::LiveFabric& live, const chains::Plan& installed);

}  // namespace rch::sa
