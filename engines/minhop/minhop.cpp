#include "engines/minhop/minhop.h"

#include "engines/common/distances.h"
#include "engines/common/earlier_plan.h"
#include "engines/common/port_choice.h"

namespace rch::engines::minhop {

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  const common::PortPlan plan(view, options.ports);
  StepTables tables;
  tables.remarks = plan.remarks();
  tables.hops = common::distances(plan);
  const common::ShortestPaths rule(plan.graph(), *tables.hops);
  tables.lfts = common::choose_ports(
      {plan, rule, common::Diversity::systems, common::settled_by_distance(plan, *tables.hops)});
  return tables;
}

}  // namespace rch::engines::minhop
