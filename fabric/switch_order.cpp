#include "fabric/switch_order.h"

#include "base/bitset.h"

namespace rch::fabric {

std::vector<SwitchId> breadth_first_order(const SwitchGraph& graph, SwitchId root) {
  std::vector<SwitchId> order;
  order.reserve(graph.switch_count());
  IdSet<SwitchId> seen(graph.switch_count());
  const auto visit = [&](SwitchId sw) {
    if (seen.contains(sw)) return;
    seen.insert(sw);
    order.push_back(sw);
  };
  std::size_t head = 0;
  const auto search_from = [&](SwitchId start) {
    visit(start);
    for (; head < order.size(); ++head)
      for (const Neighbor& neighbor : graph.neighbors(order[head])) visit(neighbor.sw);
  };
  if (graph.switch_count() != 0) search_from(root);
  for (std::uint32_t sw = 0; sw < graph.switch_count(); ++sw) search_from(SwitchId(sw));
  return order;
}

}  // namespace rch::fabric
