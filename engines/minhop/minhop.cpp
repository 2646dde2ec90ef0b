#include "engines/minhop/minhop.h"

#include <utility>

#include "engines/common/port_selection/select_ports.h"
#include "engines/minhop/unneeded_entries.h"

namespace rch::engines::minhop {

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  const common::PortContext context(view, options.ports);
  const common::Rerouting rerouting(context);
  common::Distances distances = common::find_distances(rerouting);
  const common::ShortestPaths rule(context.graph(), distances.hops);
  StepTables tables;
  tables.remarks = context.remarks();
  tables.lfts = common::select_ports({context, rule, common::Diversity::systems, distances.affected()});
  if (!options.ports.compat) remove_unneeded_entries(view, tables.lfts);
  tables.hops = std::move(distances.hops);
  return tables;
}

std::optional<StepTables> route_unlinked(const fabric::SubFabric& view) {
  if (view.graph().link_ends() != 0) return std::nullopt;
  StepTables tables = *route(view, {});
  tables.remarks.emplace_back("no cable joins two switches, so every path is direct");
  return tables;
}

}  // namespace rch::engines::minhop
