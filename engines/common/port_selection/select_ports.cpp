#include "engines/common/port_selection/select_ports.h"

#include "base/parallel.h"
#include "engines/common/port_selection/table_filler.h"
#include "fabric/switch_order.h"

namespace rch::engines::common {
namespace {

/// OpenSM draws the numbers of all switches from one sequence, in the order of its map.
void fill_in_sequence(const SelectionInput& input, const DestinationIndex& index,
                      fabric::ForwardingTables& lfts) {
  opensm_compat::GlibcRandom sequence(input.context.options().scatter_ports);
  TableFiller filler(input, index, lfts);
  for (SwitchId sw : switches_in_opensm_order(input.context.view())) filler.fill(sw, &sequence);
}

/// Switches one after the other that have neighbours in common: their rows of distances are read from caches.
void fill_in_parallel(const SelectionInput& input, const DestinationIndex& index,
                      fabric::ForwardingTables& lfts) {
  const std::vector<SwitchId> order = fabric::breadth_first_order(input.context.graph());
  parallel_ranges(order.size(), 4, [&](std::size_t begin, std::size_t end) {
    TableFiller filler(input, index, lfts);
    for (std::size_t s = begin; s < end; ++s) filler.fill(order[s], nullptr);
  });
}

}  // namespace

fabric::ForwardingTables select_ports(const SelectionInput& input) {
  const fabric::SubFabric& view = input.context.view();
  auto lfts = fabric::ForwardingTables::uninitialised(view.switch_count(), view.fabric().max_lid());
  const DestinationIndex index(input.context);
  if (input.context.rules().draws_one_sequence && input.context.options().scatter_ports != 0)
    fill_in_sequence(input, index, lfts);
  else
    fill_in_parallel(input, index, lfts);
  return lfts;
}

}  // namespace rch::engines::common
