#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "engines/common/incremental/installed_tables.h"

namespace rch::engines::common {

/// A port of a switch as control files name it: by the GUID of the node or of its port 0.
struct PortName {
  Guid sw;
  PortNum port;
};

struct HopWeight {
  PortName leaving;
  std::uint8_t weight = 1;  ///< at least 1
};

struct PortOrder {
  Guid sw;
  std::vector<PortNum> ports;  ///< examined first, in this order; the others follow ascending
};

/// How minhop, updn, dnup and dor select ports, named as in opensm.conf. Unknown GUIDs are left out with a
/// remark, those of nodes outside the view without one.
struct PortOptions {
  /// OpenSM's tables, flaws included (engines/opensm_compat/rules.h).
  bool compat = false;
  /// `hop_weights_file`: hops that leaving by a port costs, 1 if not listed; for minhop and dor
  /// (OpenSM's osm_ucast_mgr.c). Of lines for one port the last counts.
  std::vector<HopWeight> hop_weights = {};
  /// `port_search_ordering_file` (opensm(8), DOR). A line with a port that its switch does not have, or
  /// with the same one twice, is left out; of lines for one switch the first counts.
  std::vector<PortOrder> port_search_ordering = {};
  /// `port_prof_ignore_file`: entries that leave by these ports do not raise their load counters.
  std::vector<PortName> port_prof_ignore = {};
  /// `guid_routing_order_file`: end ports (a switch by its port 0) that are served first, in this order.
  std::vector<Guid> guid_routing_order = {};
  /// Those are not scattered.
  bool guid_routing_order_no_scatter = false;
  /// Seed; 0: off. One of the ports with the lowest counter is drawn (OpenSM's osm_switch.c).
  std::uint32_t scatter_ports = 0;
  /// The scan for the lowest counter starts at a port that moves on with every entry (OpenSM's osm_switch.c).
  bool port_shifting = false;
  /// Switch LIDs raise the load counters too (OpenSM's osm_switch.c).
  bool port_profile_switch_nodes = false;
  /// Links between switches that run below the rate of both ends are not used. OpenSM's minhop, updn, dnup
  /// and dor do not read this option.
  bool avoid_throttled_links = false;
  /// Initial load counters, by port of the fabric: entries of other steps (docs/chains.md). Empty: 0.
  std::vector<std::uint32_t> initial_loads = {};
  /// Installed tables. An entry on a minimal path is kept and counted, whatever the load
  /// (docs/engines.md).
  std::optional<InstalledTables> installed = {};
};

}  // namespace rch::engines::common
