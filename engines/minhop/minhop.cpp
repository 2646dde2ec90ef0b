#include "engines/minhop/minhop.h"

#include "base/parallel.h"
#include "engines/minhop/destinations.h"
#include "engines/minhop/distances.h"
#include "engines/minhop/port_choice.h"

namespace rch::engines::minhop {

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  StepTables tables;
  tables.hops = distances(view.graph());
  tables.lfts = fabric::ForwardingTables::uninitialised(view.switch_count(), view.fabric().max_lid());

  const DestinationOrder order = destination_order(view);
  const ChoiceInput input{view, *tables.hops, order, options.count_switch_lids};
  parallel_ranges(view.switch_count(), 4,
                  [&](std::size_t begin, std::size_t end) { fill_rows(input, begin, end, tables.lfts); });
  return tables;
}

}  // namespace rch::engines::minhop
