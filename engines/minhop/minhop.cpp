#include "engines/minhop/minhop.h"

#include <utility>

#include "engines/common/port_selection/select_ports.h"

namespace rch::engines::minhop {

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  const common::PortContext plan(view, options.ports);
  const common::EarlierPlan earlier(plan);
  common::Measured measured = common::measure(earlier);
  const common::ShortestPaths rule(plan.graph(), measured.hops);
  StepTables tables;
  tables.remarks = plan.remarks();
  tables.lfts = common::select_ports({plan, rule, common::Diversity::systems, measured.affected()});
  tables.hops = std::move(measured.hops);
  return tables;
}

}  // namespace rch::engines::minhop
