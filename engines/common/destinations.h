#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "fabric/sub_fabric.h"

namespace rch::engines::common {

/// One end port to route: 2^lmc LIDs from `base`.
struct Destination {
  Lid base;
  std::uint8_t lmc = 0;
  PortNum attach;  ///< port of its switch that delivers to it; 0 for the switch itself
};

/// Destinations that follow each other in the order and share their switch: all hosts of a switch, or its
/// port 0.
struct DestinationGroup {
  SwitchId sw;
  std::uint32_t begin = 0;  ///< into DestinationOrder::all
  std::uint32_t end = 0;
};

/// The order in which ports are handed out (routing-engines 1.5), the same on every switch.
struct DestinationOrder {
  std::vector<Destination> all;
  std::vector<DestinationGroup> groups;  ///< hosts first
  std::size_t host_groups = 0;           ///< that many groups are hosts, the rest single switches
  std::uint8_t max_lmc = 0;
};

/// Switches by number of hosts, descending, each with its hosts by port; then every switch by the GUID of
/// port 0. Ties and the second part go by OpenSM's map order. Ports without a LID are left out.
DestinationOrder destination_order(const fabric::SubFabric& view);

}  // namespace rch::engines::common
