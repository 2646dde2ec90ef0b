#include "engines/updn/orientation.h"

#include <algorithm>
#include <utility>

namespace rch::engines::updn {
namespace {

template <class KeyOf>
Orientation sorted(const fabric::SubFabric& view, KeyOf&& key_of) {
  std::vector<SwitchId> order;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) order.push_back(SwitchId(s));
  std::ranges::sort(order, {}, [&](SwitchId s) { return std::pair(key_of(s), view.node(s).guid); });
  return Orientation(std::move(order));
}

}  // namespace

std::vector<std::uint32_t> ranks(const fabric::SwitchGraph& graph, std::span<const SwitchId> starts) {
  std::vector<std::uint32_t> rank(graph.switch_count(), kUnranked);
  std::vector<SwitchId> queue(starts.begin(), starts.end());
  for (SwitchId start : starts) rank[start.index()] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const fabric::Neighbor& n : graph.neighbors(queue[i])) {
      if (rank[n.sw.index()] != kUnranked) continue;
      rank[n.sw.index()] = rank[queue[i].index()] + 1;
      queue.push_back(n.sw);
    }
  return rank;
}

Orientation::Orientation(std::vector<SwitchId> order) : order_(std::move(order)), place_(order_.size()) {
  for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i].index()] = i;
}

Orientation towards_roots(const fabric::SubFabric& view, std::span<const std::uint32_t> ranks) {
  return sorted(view, [&](SwitchId s) { return ranks[s.index()]; });
}

Orientation away_from_leaves(const fabric::SubFabric& view, std::span<const std::uint32_t> ranks) {
  return sorted(view, [&](SwitchId s) { return ~ranks[s.index()]; });
}

}  // namespace rch::engines::updn
