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

/// How minhop, updn, dnup and dor choose ports, named as in opensm.conf. GUIDs that name nothing here are
/// left out with a remark, those that name something outside the view without one.
struct PortOptions {
  /// OpenSM's tables, flaws included: random numbers are drawn in its order, the link rates do not matter.
  bool compat = false;
  /// `hop_weights_file`: hops that leaving by a port costs, 1 if not listed; for minhop and dor
  /// (routing-engines 1.3). Among lines for one port the last counts.
  std::vector<HopWeight> hop_weights = {};
  /// `port_search_ordering_file` (routing-engines 5). A line with a port that its switch does not have, or
  /// with the same one twice, is left out; among lines for one switch the first counts.
  std::vector<PortOrder> port_search_ordering = {};
  /// `port_prof_ignore_file`: what leaves by these ports does not raise their load counters.
  std::vector<PortName> port_prof_ignore = {};
  /// `guid_routing_order_file`: end ports (a switch by its port 0) that are served first, in this order.
  std::vector<Guid> guid_routing_order = {};
  /// Those are not scattered.
  bool guid_routing_order_no_scatter = false;
  /// Seed; 0: off. Among ports with the lowest counter one is drawn (routing-engines 1.7).
  std::uint32_t scatter_ports = 0;
  /// The scan for the lowest counter starts at a place that moves on with every entry (routing-engines 1.7).
  bool port_shifting = false;
  /// Switch LIDs raise the load counters too (routing-engines 1.6).
  bool port_profile_switch_nodes = false;
  /// Cables between switches that run below what both ends could do are taken as unplugged. OpenSM's minhop,
  /// updn, dnup and dor do not read this option.
  bool avoid_throttled_links = false;
  /// Where load counters start, by port of the fabric: what leaves by it whatever the engine does
  /// (routing-engines 8.4). Empty: at 0.
  std::vector<std::uint32_t> initial_loads = {};
  /// Installed tables. An entry that still leads on is kept, and counted, whatever the balance
  /// (routing-engines 1.8).
  std::optional<InstalledTables> installed = {};
};

}  // namespace rch::engines::common
