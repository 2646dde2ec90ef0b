#include "engines/dor/dor.h"

#include <utility>

#include "engines/common/port_selection/select_ports.h"

namespace rch::engines::dor {
namespace {

/// Of the cables of shortest paths those to one neighbour: the lowest dimension in which the switch and the
/// destination differ.
class OneDimension : public common::ShortestPaths {
 public:
  using ShortestPaths::ShortestPaths;
  void add_to(common::Candidates& candidates, SwitchId sw) const override {
    ShortestPaths::add_to(candidates, sw);
    candidates.keep_first_neighbor();
  }
};

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  const common::PortContext plan(view, options.ports);
  const common::EarlierPlan earlier(plan);
  common::Measured measured = common::measure(earlier);
  const OneDimension rule(plan.graph(), measured.hops);
  StepTables tables;
  tables.remarks = plan.remarks();
  tables.lfts = common::select_ports({plan, rule, common::Diversity::cables, measured.affected()});
  tables.hops = std::move(measured.hops);
  return tables;
}

}  // namespace rch::engines::dor
