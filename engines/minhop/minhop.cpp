#include "engines/minhop/minhop.h"

#include "engines/common/destinations.h"
#include "engines/common/distances.h"
#include "engines/common/port_choice.h"

namespace rch::engines::minhop {

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  StepTables tables;
  tables.hops = common::distances(view.graph());
  const common::ShortestPaths rule(view.graph(), *tables.hops);
  tables.lfts =
      common::choose_ports({view, rule, common::destination_order(view), options.count_switch_lids});
  return tables;
}

}  // namespace rch::engines::minhop
