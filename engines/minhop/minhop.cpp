#include "engines/minhop/minhop.h"

#include <utility>

#include "engines/common/port_choice.h"

namespace rch::engines::minhop {

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  const common::PortPlan plan(view, options.ports);
  const common::EarlierPlan earlier(plan);
  common::Measured measured = common::measure(earlier);
  const common::ShortestPaths rule(plan.graph(), measured.hops);
  StepTables tables;
  tables.remarks = plan.remarks();
  tables.lfts = common::choose_ports({plan, rule, common::Diversity::systems, measured.revisit()});
  tables.hops = std::move(measured.hops);
  return tables;
}

}  // namespace rch::engines::minhop
