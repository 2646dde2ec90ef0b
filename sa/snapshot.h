#pragma once

#include <memory>
#include <span>
#include <vector>

#include "chains/plan.h"
#include "hw/live_fabric.h"
#include "hw/multicast_tables.h"
#include "sa/qos_ports.h"

namespace rch::sa {

/// What a link lets through; codes, 0 where not known.
struct LinkTraits {
  std::uint8_t mtu = 0, rate = 0;
};

/// What a walk needs of a port, side by side: walks of hosts that ask wait for memory, not for the processor.
struct Link {
  PortId peer = PortId::none();
  SwitchId sw = SwitchId::none();  ///< that `peer` is a port of
  LinkTraits traits = {};          ///< the same from both ends; of port 0 of a switch: its own
};

/// A block of the multicast forwarding table of a switch.
struct MulticastBlock {
  hw::MulticastPlace place;
  hw::MulticastMasks masks;
};

/// What queries are answered from: one generation of the fabric with its installed tables. Immutable.
struct Snapshot {
  chains::Plan plan;                     ///< as installed; its fabric numbers nodes and ports
  PortId local;                          ///< the port of this subnet manager
  std::vector<hw::NodeInfo> nodes;       ///< by NodeId
  std::vector<hw::SwitchInfo> switches;  ///< by SwitchId
  std::vector<hw::PortInfo> ports;       ///< by PortId, as last read or written; all zero where never seen
  std::vector<Link> links;               ///< by PortId; rates as `max_rate_enum` limits them
  /// With a LID; those that hang on one switch side by side, behind its port 0: their ways have much in
  /// common.
  std::vector<PortId> end_ports;
  std::vector<hw::OtherSm> other_sms;
  std::vector<MulticastBlock>
      multicast;  ///< by switch, block, position; blocks without an entry are left out
  std::vector<std::uint32_t> pkey_index;  ///< by PortId: index into the P_Key tables of the plan, or kNoPKeys

  std::shared_ptr<const QosPorts> qos;  ///< null: no QoS policy
  /// Partitions of the policy; those without a file if it is not known.
  std::shared_ptr<const policy::partitions::Partitions> partitions;

  std::vector<PortId> routers;  ///< ports of IB routers that have a LID, ascending GUID
  /// The routes of `prefix_routes_file`; null: the policy is not known.
  std::shared_ptr<const std::vector<policy::PrefixRoute>> prefix_routes;

  static constexpr std::uint32_t kNoPKeys = ~0U;
  static constexpr std::uint16_t kDefaultPKeys[] = {0xFFFF};

  const fabric::Fabric& fabric() const { return *plan.fabric; }
  std::uint64_t prefix() const { return plan.options.manager.subnet_prefix; }
  /// Null if the policy has no such partition. The membership bit is ignored.
  const policy::partitions::Partition* partition(std::uint16_t pkey) const;
  /// CA and router ports, and port 0 of switches.
  bool is_end_port(PortId port) const;
  /// P_Keys of an end port as the plan lays them out; 0 is a free slot. Ports that keep what they hold are
  /// taken for full members of the default partition.
  std::span<const std::uint16_t> pkeys(PortId end_port) const {
    const std::uint32_t index = pkey_index[end_port.index()];
    return index == kNoPKeys ? std::span(kDefaultPKeys) : plan.tables->pkeys.of(index);
  }
  std::span<const MulticastBlock> multicast_of(SwitchId sw) const;
};

/// The blocks with an entry of `tables`, as a snapshot has them.
std::vector<MulticastBlock> multicast_blocks(const fabric::Fabric& fabric,
                                             const fabric::RoutingTables& tables);

/// What both let through.
LinkTraits both(LinkTraits a, LinkTraits b);

/// By PortId: of ports as they were last seen.
std::vector<Link> links_of(const fabric::Fabric& fabric, std::span<const hw::PortInfo> ports,
                           std::uint8_t max_rate);

/// As a snapshot has them.
std::vector<PortId> ports_with_lid(const fabric::Fabric& fabric);

/// Ports of IB routers that have a LID, ascending GUID.
std::vector<PortId> router_ports(const fabric::Fabric& fabric);

/// `live` is the fabric that `installed` was just written to.
std::shared_ptr<const Snapshot> snapshot_of(const hw::LiveFabric& live, const chains::Plan& installed);

}  // namespace rch::sa
