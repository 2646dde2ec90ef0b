#include "engines/tree/spread.h"

#include <algorithm>
#include <vector>

#include "engines/common/host_paths.h"

namespace rch::engines::tree {

Spread spread_of(const Tree& tree, const fabric::ForwardingTables& lfts) {
  const fabric::SubFabric& view = tree.view();
  const common::HostPaths paths(view, lfts, 2 * std::size_t{tree.lowest_rank()});
  const std::vector<std::uint32_t> by_switch = common::hosts_with_lids(view);
  std::vector<std::uint32_t> by_leaf = by_switch;
  std::erase_if(by_leaf, [&](std::uint32_t h) { return tree.role(view.end_ports()[h]) != Role::compute; });
  std::ranges::stable_sort(by_leaf, {}, [&](std::uint32_t h) { return tree.column(view.end_ports()[h].sw); });
  const std::uint32_t worst = common::worst_shift(paths, by_switch);
  return {.destinations = common::most_destinations(paths),
          .worst_shift = worst,
          .worst_shift_in_tree = by_leaf == by_switch ? worst : common::worst_shift(paths, by_leaf)};
}

}  // namespace rch::engines::tree
