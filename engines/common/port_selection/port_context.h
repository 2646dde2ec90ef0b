#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bitset.h"
#include "engines/common/port_selection/destinations.h"
#include "engines/common/port_selection/port_options.h"
#include "fabric/sub_fabric.h"

namespace rch::engines::common {

/// A view with the options of port choice looked up in it: which cables there are, in which order they are
/// examined, what they cost, and who is served first.
class PortContext {
 public:
  /// Keeps references to both.
  PortContext(const fabric::SubFabric& view, const PortOptions& options);

  const fabric::SubFabric& view() const { return view_; }
  const PortOptions& options() const { return options_; }
  /// The cables that may be used.
  const fabric::SwitchGraph& graph() const { return reduced_ ? *reduced_ : view_.graph(); }
  const DestinationOrder& destinations() const { return destinations_; }

  /// Hops that leaving by a port costs, by port of the fabric; empty: 1 everywhere.
  std::span<const std::uint8_t> weights() const { return weights_; }
  std::uint8_t weight(SwitchId sw, PortNum port) const {
    return weights_.empty() ? 1 : weights_[index(sw, port)];
  }
  /// Where the scan of a switch's ports comes by this one: 1.. num_ports.
  std::uint8_t place(SwitchId sw, PortNum port) const {
    return places_.empty() ? port.value : places_[index(sw, port)];
  }
  /// What leaves by the port raises its load counter.
  bool counts(SwitchId sw, PortNum port) const {
    return !uncounted_.contains(view_.fabric().port_id(view_.fabric_switch(sw), port));
  }
  /// Where the counters of a switch's ports start, by port number; empty: at 0.
  std::span<const std::uint32_t> standing_loads(SwitchId sw) const {
    if (options_.standing_loads.empty()) return {};
    return std::span(options_.standing_loads)
        .subspan(index(sw, PortNum(0)), view_.node(sw).num_ports + std::size_t{1});
  }
  /// False when every port of every switch counts.
  bool has_uncounted() const { return uncounted_.universe() > 0; }

  /// Names that mean nothing here, cables left out.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  std::size_t index(SwitchId sw, PortNum port) const {
    return view_.fabric().port_id(view_.fabric_switch(sw), port).index();
  }
  void read_weights();
  void read_places();
  void read_uncounted();
  std::vector<PortId> first_served();

  const fabric::SubFabric& view_;
  const PortOptions& options_;
  std::optional<fabric::SwitchGraph> reduced_;
  std::vector<std::uint8_t> weights_;
  std::vector<std::uint8_t> places_;  ///< by port of the fabric; empty: ascending everywhere
  IdSet<PortId> uncounted_;
  DestinationOrder destinations_;
  std::vector<std::string> remarks_;
};

}  // namespace rch::engines::common
