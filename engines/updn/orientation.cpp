#include "engines/updn/orientation.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include "engines/common/names.h"

namespace rch::engines::updn {
namespace {

/// By `key_of`, then number; equal numbers by index, for the order must be total.
template <class KeyOf>
Orientation sorted(std::span<const std::uint64_t> numbers, KeyOf&& key_of) {
  std::vector<SwitchId> order;
  for (std::uint32_t s = 0; s < numbers.size(); ++s) order.push_back(SwitchId(s));
  std::ranges::sort(order, {}, [&](SwitchId s) { return std::tuple(key_of(s), numbers[s.index()], s); });
  return Orientation(std::move(order));
}

/// Connected switches of one rank, found breadth first from one of them.
class RankComponents {
 public:
  RankComponents(const fabric::SwitchGraph& graph, std::span<const std::uint32_t> ranks)
      : graph_(graph), ranks_(ranks), depth_(ranks.size(), kUnseen) {}

  /// By switch: hops to the first of its component.
  std::vector<std::uint32_t> depths(std::span<const SwitchId> order) && {
    for (SwitchId first : order)
      if (depth_[first.index()] == kUnseen) search(first);
    return std::move(depth_);
  }

 private:
  static constexpr std::uint32_t kUnseen = 0xFFFFFFFF;

  void search(SwitchId first) {
    depth_[first.index()] = 0;
    queue_.assign(1, first);
    for (std::size_t i = 0; i < queue_.size(); ++i)
      for (const fabric::Neighbor& n : graph_.neighbors(queue_[i])) {
        if (ranks_[n.sw.index()] != ranks_[first.index()] || depth_[n.sw.index()] != kUnseen) continue;
        depth_[n.sw.index()] = depth_[queue_[i].index()] + 1;
        queue_.push_back(n.sw);
      }
  }

  const fabric::SwitchGraph& graph_;
  std::span<const std::uint32_t> ranks_;
  std::vector<std::uint32_t> depth_;
  std::vector<SwitchId> queue_;
};

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

Orientation::Orientation(std::vector<SwitchId> order) : order_(std::move(order)), position_(order_.size()) {
  for (std::uint32_t i = 0; i < order_.size(); ++i) position_[order_[i].index()] = i;
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

Orientation away_from_leaves(const fabric::SwitchGraph& graph, std::span<const std::uint32_t> ranks,
                             std::span<const std::uint64_t> numbers) {
  const Orientation by_number = sorted(numbers, [](SwitchId) { return 0; });
  const std::vector<std::uint32_t> depth = RankComponents(graph, ranks).depths(by_number.order());
  return sorted(numbers, [&](SwitchId s) { return std::pair(~ranks[s.index()], depth[s.index()]); });
}

}  // namespace rch::engines::updn
