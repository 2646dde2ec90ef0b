#include "engines/updn/orientation.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include "engines/common/names.h"

namespace rch::engines::updn {
namespace {

/// By `rank_of`, then number; equal numbers by index, for the order must be total.
template <class RankOf>
Orientation sorted(std::span<const std::uint64_t> numbers, RankOf&& rank_of) {
  std::vector<SwitchId> order;
  for (std::uint32_t s = 0; s < numbers.size(); ++s) order.push_back(SwitchId(s));
  std::ranges::sort(order, {}, [&](SwitchId s) { return std::tuple(rank_of(s), numbers[s.index()], s); });
  return Orientation(std::move(order));
}

}  // namespace

std::vector<std::uint32_t> ranks(const fabric::SwitchGraph& graph, std::span<const Start> starts) {
  std::vector<std::uint32_t> rank(graph.switch_count(), kUnranked);
  std::vector<std::uint8_t> given(graph.switch_count());
  using Ranked = std::pair<std::uint32_t, SwitchId>;
  std::priority_queue<Ranked, std::vector<Ranked>, std::greater<>> queue;
  for (const Start& start : starts) {
    rank[start.sw.index()] = start.rank;
    given[start.sw.index()] = 1;
    queue.emplace(start.rank, start.sw);
  }
  for (; !queue.empty(); queue.pop()) {
    const auto [own, sw] = queue.top();
    for (const fabric::Neighbor& n : graph.neighbors(sw)) {
      std::uint32_t& next = rank[n.sw.index()];
      if (given[n.sw.index()] != 0 || next <= own + 1) continue;
      next = own + 1;
      queue.emplace(next, n.sw);
    }
  }
  return rank;
}

Orientation::Orientation(std::vector<SwitchId> order) : order_(std::move(order)), place_(order_.size()) {
  for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i].index()] = i;
}

std::vector<std::uint64_t> numbers(const fabric::SubFabric& view, std::span<const SwitchNumber> named) {
  std::vector<std::uint64_t> found;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) found.push_back(view.node(SwitchId(s)).guid.value);
  for (const SwitchNumber& line : named)
    if (const auto sw = common::switch_named(view.fabric(), line.sw))
      if (const auto own = view.view_switch(*sw)) found[own->index()] = line.number;
  return found;
}

bool is_graded(const fabric::SwitchGraph& graph, std::span<const std::uint32_t> ranks) {
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
    for (const fabric::Neighbor& n : graph.neighbors(SwitchId(s)))
      if (ranks[s] == ranks[n.sw.index()]) return false;
  return true;
}

Orientation towards_roots(std::span<const std::uint32_t> ranks, std::span<const std::uint64_t> numbers) {
  return sorted(numbers, [&](SwitchId s) { return ranks[s.index()]; });
}

Orientation away_from_leaves(std::span<const std::uint32_t> ranks, std::span<const std::uint64_t> numbers) {
  return sorted(numbers, [&](SwitchId s) { return ~ranks[s.index()]; });
}

}  // namespace rch::engines::updn
