#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/quarantine.h"
#include "hw/attributes.h"
#include "hw/smp.h"

namespace rch::hw {

class Sweep;

/// Another subnet manager, found by the IsSM bit of its port. It may share our port.
struct OtherSm {
  PortId port;
  Guid guid;              ///< of its port
  bool answered = false;  ///< false: the bit is set and SMInfo was not answered
  SmInfo info{};

  /// Takes the answer to Get(SMInfo). A missing one leaves `info` as it is.
  void read(const SmpAnswer& answer) {
    answered = answer.good();
    if (answered) info = decode<SmInfo>(answer.data);
  }
};

/// A fabric as discovery found it, with what is needed to write to it.
struct LiveFabric {
  fabric::Fabric fabric;
  PortId local;  ///< the port we are attached to; also fabric.origin()

  /// By PortId: how to reach end ports (CA and router ports, switch port 0). Other ports have the route of
  /// port 0.
  std::vector<Route> routes;
  /// By PortId; all zero for a CA port that was not seen. Sets are built from these, so that fields we do not
  /// own stay as they are.
  std::vector<PortInfo> port_info;
  /// By SwitchId.
  std::vector<SwitchInfo> switch_info;
  /// By NodeId: P_Keys that a port of a CA or router, or port 0 of a switch, has room for.
  std::vector<std::uint16_t> partition_cap;
  std::vector<OtherSm> other_sms;
  /// What is not in `fabric` because it does not answer as it must.
  std::vector<fabric::Quarantined> quarantine;
  /// Unhealthy parts that are in `fabric` anyway, because nodes that answer are cut off without them.
  std::vector<fabric::Quarantined> spared;
  /// Our cable, if it is not as the operator wants; it is in `fabric` anyway.
  std::optional<fabric::Quarantined> own_cable{};
  /// Switches that are held back, and that no cable which was looked at leads to.
  std::vector<Guid> absent{};
  /// The list of cables fits none: the fabric was looked at without it (LookOptions::passes_unfit_list).
  bool list_ignored = false;
  /// The walk that found it. A commit adds what it learns, so that look_again() can go on from it.
  std::shared_ptr<Sweep> sweep;
  /// By NodeId: asked in the last look. The others are as they were.
  std::vector<bool> looked_at;
  TimePoint began{};  ///< when the walk over all of it began
  Lid given_up_sm{};  ///< of an SM that counts as gone while it does not answer; 0: there is none

  const PortInfo& info(PortId port) const { return port_info[port.index()]; }
  const SwitchInfo& info(SwitchId sw) const { return switch_info[sw.index()]; }
  PortId port0(SwitchId sw) const { return fabric.port_id(sw, PortNum(0)); }
  bool is_switch_port(PortId port) const { return fabric.is_switch(fabric.port(port).node); }
  /// True if packets may go over the link of the port. One end that is ACTIVE is enough: a port that is ARMED
  /// becomes ACTIVE by the first packet of such a peer.
  bool carries_data(PortId port) const {
    const PortId peer = fabric.port(port).peer;
    return info(port).state >= PortState::active ||
           (!peer.is_none() && info(peer).state >= PortState::active);
  }
};

/// A Get by directed route; `item` comes back in the tag of the answer.
SmpRequest request_to(const LiveFabric& live, PortId port, Attribute attribute, std::uint32_t modifier,
                      std::uint64_t item);

/// The next look leaves out what fell silent or refused a request: the cable of a switch port that refused,
/// else the node. `how`: text after the name of the port. Our own node is never left out.
void note_fault(const LiveFabric& live, PortId port, bool answered, std::string how);

/// "`host3 HCA-1` port 1 (0x0002c90300010031, route 0,1,3)": a port, as messages name it.
std::string describe_port(const LiveFabric& live, PortId port);

}  // namespace rch::hw
