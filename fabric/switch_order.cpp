#include "fabric/switch_order.h"

#include "base/bitset.h"

namespace rch::fabric {

std::vector<SwitchId> breadth_first_order(const SwitchGraph& graph) {
  std::vector<SwitchId> order;
  order.reserve(graph.switch_count());
  IdSet<SwitchId> seen(graph.switch_count());
  const auto visit = [&](SwitchId sw) {
    if (seen.contains(sw)) return;
    seen.insert(sw);
    order.push_back(sw);
  };
  std::size_t head = 0;
  for (std::uint32_t root = 0; root < graph.switch_count(); ++root) {
    visit(SwitchId(root));
    for (; head < order.size(); ++head)
      for (const Neighbor& neighbor : graph.neighbors(order[head])) visit(neighbor.sw);
  }
  return order;
}

}  // namespace rch::fabric
