#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "hw/mad.h"
#include "hw/route.h"

namespace rch::hw {

/// Another subnet manager, found by the IsSM bit of its port; it may share ours.
struct OtherSm {
  PortId port;
  Guid guid;              ///< of its port
  bool answered = false;  ///< false: the bit is set and SMInfo was not answered
  std::uint64_t key = 0;  ///< SM_Key as shown
  std::uint8_t priority = 0;
  SmState state = SmState::not_active;
};

/// A fabric as discovery found it, with what is needed to write to it.
struct LiveFabric {
  fabric::Fabric fabric;
  PortId local;  ///< the port we are attached to; also fabric.origin()

  /// By PortId. End ports (CA and router ports, switch port 0): how to reach them. Other ports: that of port
  /// 0.
  std::vector<Route> routes;
  /// By PortId; all zero for a CA port that was not seen. Sets are built from these, so that fields we do not
  /// own stay as they are.
  std::vector<SmpData> port_info;
  /// By SwitchId.
  std::vector<SmpData> switch_info;
  std::vector<OtherSm> other_sms;

  const Route& route_of(SwitchId sw) const { return routes[fabric.port_id(sw, PortNum(0)).index()]; }
};

/// "`host3 HCA-1` port 1 (0x0002c90300010031, route 0,1,3)": a port, the way every message names it.
std::string describe_port(const LiveFabric& live, PortId port);

}  // namespace rch::hw
