#include "fabric/switch_graph.h"

#include <algorithm>
#include <tuple>

namespace rch::fabric {

SwitchGraph::SwitchGraph(std::size_t switch_count, std::vector<Edge> edges) {
  std::sort(edges.begin(), edges.end(),
            [](const Edge& a, const Edge& b) { return std::tie(a.from, a.out) < std::tie(b.from, b.out); });
  links_.reserve(edges.size());
  neighbor_begin_.assign(switch_count + 1, 0);

  std::size_t begin = 0;
  for (std::uint32_t s = 0; s < switch_count; ++s) {
    neighbor_begin_[s] = static_cast<std::uint32_t>(neighbors_.size());
    std::size_t end = begin;
    while (end < edges.size() && edges[end].from.value == s) ++end;
    // Edges of a switch stand in port order: the first to each neighbour opens its group.
    std::vector<SwitchId> order;
    for (std::size_t e = begin; e < end; ++e)
      if (std::find(order.begin(), order.end(), edges[e].to) == order.end()) order.push_back(edges[e].to);
    for (SwitchId to : order) {
      const auto first = static_cast<std::uint32_t>(links_.size());
      for (std::size_t e = begin; e < end; ++e)
        if (edges[e].to == to) links_.push_back({edges[e].out, edges[e].in});
      neighbors_.push_back({to, first, static_cast<std::uint32_t>(links_.size()) - first});
    }
    begin = end;
  }
  neighbor_begin_[switch_count] = static_cast<std::uint32_t>(neighbors_.size());
}

}  // namespace rch::fabric
