#include "engines/tree/spread.h"

#include <algorithm>
#include <vector>

namespace rch::engines::tree {

Spread spread_of(const Tree& tree, const fabric::ForwardingTables& lfts) {
  const common::Channels channels(tree.view().graph());
  const std::vector<fabric::EndPort> by_switch = common::hosts_by_guid(tree.view());
  std::vector<fabric::EndPort> by_leaf = by_switch;
  std::erase_if(by_leaf, [&](const fabric::EndPort& host) { return tree.role(host) != Role::compute; });
  std::ranges::stable_sort(by_leaf, {}, [&](const fabric::EndPort& host) { return tree.column(host.sw); });
  const common::PathDistribution all = common::path_distribution(channels, lfts, by_switch);
  const bool same_order =
      std::ranges::equal(by_leaf, by_switch, {}, &fabric::EndPort::port, &fabric::EndPort::port);
  return {all, same_order ? all.worst_shift : common::path_distribution(channels, lfts, by_leaf).worst_shift};
}

}  // namespace rch::engines::tree
