#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/bitset.h"
#include "engines/common/port_selection/destinations.h"
#include "engines/common/port_selection/port_options.h"
#include "engines/common/port_selection/weighted_graph.h"
#include "engines/opensm_compat/rules.h"

namespace rch::engines::common {

/// What ports are selected by: a view with the options of port selection bound to it.
class PortContext {
 public:
  /// Keeps references to both.
  PortContext(const fabric::SubFabric& view, const PortOptions& options);

  const fabric::SubFabric& view() const { return links_.view(); }
  const PortOptions& options() const { return options_; }
  const opensm_compat::Rules& rules() const { return opensm_compat::rules(options_.compat); }
  const WeightedGraph& links() const { return links_; }
  const fabric::SwitchGraph& graph() const { return links_.graph(); }
  const DestinationOrder& destinations() const { return destinations_; }

  /// Position of a port in the scan of its switch: 1.. num_ports.
  std::uint8_t scan_position(SwitchId sw, PortNum port) const {
    return scan_positions_.empty() ? port.value : scan_positions_[index(sw, port)];
  }
  /// An entry that leaves by the port raises its load counter.
  bool counts(SwitchId sw, PortNum port) const {
    return !uncounted_.contains(view().fabric().port_id(view().fabric_switch(sw), port));
  }
  /// False when every port of every switch counts.
  bool has_uncounted() const { return uncounted_.universe() > 0; }
  /// Initial load counters of a switch, by port number; empty: 0.
  std::span<const std::uint32_t> initial_loads(SwitchId sw) const {
    if (options_.initial_loads.empty()) return {};
    return std::span(options_.initial_loads)
        .subspan(index(sw, PortNum(0)), view().node(sw).num_ports + std::size_t{1});
  }

  /// Option lines that name nothing here, links left out.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  std::size_t index(SwitchId sw, PortNum port) const {
    return view().fabric().port_id(view().fabric_switch(sw), port).index();
  }
  void read_scan_order();
  void read_uncounted();
  std::vector<PortId> first_served();

  const PortOptions& options_;
  WeightedGraph links_;
  std::vector<std::uint8_t> scan_positions_;  ///< by port of the fabric; empty: ascending everywhere
  IdSet<PortId> uncounted_;
  std::vector<std::string> remarks_;
  DestinationOrder destinations_;
};

}  // namespace rch::engines::common
