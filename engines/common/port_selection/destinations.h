#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"
#include "fabric/sub_fabric.h"

namespace rch::engines::common {

/// One end port to route: 2^lmc LIDs from `base`.
struct Destination {
  Lid base;
  std::uint8_t lmc = 0;
  PortNum attach;  ///< port of its switch that delivers to it; 0 for the switch itself

  friend bool operator==(const Destination&, const Destination&) = default;
};

/// Consecutive destinations on one switch: hosts of the switch, or its port 0.
struct DestinationGroup {
  SwitchId sw;
  std::uint32_t begin = 0;  ///< into DestinationOrder::all
  std::uint32_t end = 0;
  bool hosts = true;
  bool scatter = true;  ///< their ports may be drawn, if the options say so

  friend bool operator==(const DestinationGroup&, const DestinationGroup&) = default;
};

/// The order in which ports are selected (OpenSM's osm_ucast_mgr.c), the same on every switch.
struct DestinationOrder {
  std::vector<Destination> all;
  std::vector<DestinationGroup> groups;
  std::uint8_t max_lmc = 0;

  std::span<const Destination> destinations(const DestinationGroup& group) const {
    return std::span(all).subspan(group.begin, group.end - group.begin);
  }

  friend bool operator==(const DestinationOrder&, const DestinationOrder&) = default;
};

/// Switches of the view in the order in which OpenSM walks them (OpenSM's osm_dump.c).
std::vector<SwitchId> switches_in_opensm_order(const fabric::SubFabric& view);

/// Every end port and switch of the view has at most one LID to route.
bool has_single_lids(const fabric::SubFabric& view);

/// First the ports of the view among `first` (ports of the fabric; those of switches are port 0), in their
/// order. Then switches by number of hosts, descending, each with its hosts by port. Then every switch by the
/// GUID of port 0. OpenSM's map order breaks ties and orders the last part. Nothing is listed twice; ports
/// without a LID are left out.
DestinationOrder destination_order(const fabric::SubFabric& view, std::span<const PortId> first = {},
                                   bool scatter_first = true);

}  // namespace rch::engines::common
