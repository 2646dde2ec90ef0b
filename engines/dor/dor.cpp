#include "engines/dor/dor.h"

#include <utility>

#include "engines/common/port_selection/select_ports.h"

namespace rch::engines::dor {
namespace {

/// The output ports on shortest paths to the first neighbor: it lies in the lowest dimension in which the
/// switch and the destination differ.
class OneDimension : public common::ShortestPaths {
 public:
  using ShortestPaths::ShortestPaths;
  void add_to(common::Candidates& candidates, SwitchId sw) const override {
    ShortestPaths::add_to(candidates, sw);
    std::vector<std::uint8_t> neighbors;  // a switch has fewer than 255
    for (const common::Candidates::OutputPort& output : candidates.outputs())
      neighbors.push_back(static_cast<std::uint8_t>(output.neighbor));
    candidates.sets().keep_first_neighbor(neighbors);
  }
};

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  const common::PortContext context(view, options.ports);
  const common::Rerouting rerouting(context);
  common::Distances distances = common::find_distances(rerouting);
  const OneDimension rule(context.graph(), distances.hops);
  StepTables tables;
  tables.remarks = context.remarks();
  tables.lfts = common::select_ports({context, rule, common::Diversity::links, distances.affected()});
  tables.hops = std::move(distances.hops);
  return tables;
}

}  // namespace rch::engines::dor
