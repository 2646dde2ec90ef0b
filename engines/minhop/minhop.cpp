#include "engines/minhop/minhop.h"

#include <utility>

#include "engines/common/port_selection/select_ports.h"

namespace rch::engines::minhop {

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  const common::PortContext context(view, options.ports);
  const common::Rerouting rerouting(context);
  common::Distances distances = common::find_distances(rerouting);
  const common::ShortestPaths rule(context.graph(), distances.hops);
  StepTables tables;
  tables.remarks = context.remarks();
  tables.lfts = common::select_ports({context, rule, common::Diversity::systems, distances.affected()});
  tables.hops = std::move(distances.hops);
  return tables;
}

}  // namespace rch::engines::minhop
