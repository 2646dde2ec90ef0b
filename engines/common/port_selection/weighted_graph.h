#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engines/common/port_selection/port_options.h"
#include "fabric/sub_fabric.h"

namespace rch::engines::common {

/// The links between switches of a view that may be used, and what each costs: `avoid_throttled_links` and
/// `hop_weights` of the options.
class WeightedGraph {
 public:
  /// Keeps a reference to the view.
  WeightedGraph(const fabric::SubFabric& view, const PortOptions& options);

  const fabric::SubFabric& view() const { return view_; }
  const fabric::SwitchGraph& graph() const { return reduced_ ? *reduced_ : view_.graph(); }
  /// False if graph() lacks links of the view.
  bool has_all_links() const { return !reduced_; }

  /// Hops that leaving by a port costs, by port of the fabric; empty: 1 everywhere.
  std::span<const std::uint8_t> weights() const { return weights_; }
  std::uint8_t weight(SwitchId sw, PortNum port) const {
    return weights_.empty() ? 1 : weights_[view_.fabric().port_id(view_.fabric_switch(sw), port).index()];
  }

  /// Links left out, weights that name no port.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  void read_weights(std::span<const HopWeight> lines);

  const fabric::SubFabric& view_;
  std::optional<fabric::SwitchGraph> reduced_;
  std::vector<std::uint8_t> weights_;
  std::vector<std::string> remarks_;
};

}  // namespace rch::engines::common
