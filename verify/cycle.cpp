#include "verify/cycle.h"

#include <algorithm>

namespace rch::verify {
namespace {

constexpr std::size_t kStarts = 256;
constexpr std::uint32_t kNone = 0xFFFFFFFF;

/// Kahn peeling: channels that can drain only after a cycle does, or lie on one.
std::vector<bool> unpeeled(const ChannelDependencyGraph& graph) {
  std::vector<std::uint32_t> waiting(graph.channels.size());
  for (const std::uint32_t to : graph.dependents) ++waiting[to];
  std::vector<std::uint32_t> free;
  for (std::uint32_t c = 0; c < waiting.size(); ++c)
    if (waiting[c] == 0) free.push_back(c);
  std::vector<bool> left(waiting.size(), true);
  while (!free.empty()) {
    const std::uint32_t channel = free.back();
    free.pop_back();
    left[channel] = false;
    for (const std::uint32_t to : graph.after(channel))
      if (--waiting[to] == 0) free.push_back(to);
  }
  return left;
}

/// Tarjan's strongly connected components of the channels in `left`, without recursion.
class Components {
 public:
  Components(const ChannelDependencyGraph& graph, const std::vector<bool>& left)
      : graph_(graph), left_(left), index_(left.size(), kNone), low_(left.size()), open_(left.size()) {
    for (std::uint32_t c = 0; c < left.size(); ++c)
      if (left[c] && index_[c] == kNone) search(c);
  }
  /// Those that hold a cycle, each in ascending order.
  const std::vector<std::vector<std::uint32_t>>& cyclic() const { return cyclic_; }

 private:
  struct Frame {
    std::uint32_t channel;
    std::size_t edge;
  };

  void enter(std::uint32_t channel) {
    index_[channel] = low_[channel] = next_index_++;
    stack_.push_back(channel);
    open_[channel] = true;
    frames_.push_back({channel, 0});
  }

  void search(std::uint32_t root) {
    enter(root);
    while (!frames_.empty()) {
      const std::uint32_t at = frames_.back().channel;
      const auto after = graph_.after(at);
      if (frames_.back().edge == after.size()) {
        leave(at);
        continue;
      }
      const std::uint32_t to = after[frames_.back().edge++];
      if (!left_[to]) continue;
      if (index_[to] == kNone)
        enter(to);
      else if (open_[to])
        low_[at] = std::min(low_[at], index_[to]);
    }
  }

  void leave(std::uint32_t channel) {
    frames_.pop_back();
    if (!frames_.empty()) {
      std::uint32_t& low = low_[frames_.back().channel];
      low = std::min(low, low_[channel]);
    }
    if (low_[channel] != index_[channel]) return;
    const auto begin = std::find(stack_.rbegin(), stack_.rend(), channel).base() - 1;
    std::vector<std::uint32_t> component(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    for (const std::uint32_t c : component) open_[c] = false;
    const auto after = graph_.after(channel);
    if (component.size() == 1 && !std::binary_search(after.begin(), after.end(), channel)) return;
    std::sort(component.begin(), component.end());
    cyclic_.push_back(std::move(component));
  }

  const ChannelDependencyGraph& graph_;
  const std::vector<bool>& left_;
  std::vector<std::uint32_t> index_;
  std::vector<std::uint32_t> low_;
  std::vector<bool> open_;  ///< on the stack
  std::vector<std::uint32_t> stack_;
  std::vector<Frame> frames_;
  std::uint32_t next_index_ = 0;
  std::vector<std::vector<std::uint32_t>> cyclic_;
};

/// Breadth-first search inside one component.
class CycleSearch {
 public:
  CycleSearch(const ChannelDependencyGraph& graph, const std::vector<std::uint32_t>& component)
      : graph_(graph), inside_(graph.channels.size()), before_(graph.channels.size(), kNone) {
    for (const std::uint32_t c : component) inside_[c] = true;
  }

  /// Shortest cycle through `start`; empty if it has `limit` channels or more.
  std::vector<std::uint32_t> through(std::uint32_t start, std::size_t limit) {
    reached_.assign(1, start);
    std::vector<std::uint32_t> cycle;
    std::size_t length = 1;
    for (std::size_t begin = 0; begin < reached_.size() && length < limit && cycle.empty(); ++length) {
      const std::size_t end = reached_.size();
      for (; begin < end && cycle.empty(); ++begin) cycle = expand(reached_[begin], start);
    }
    for (const std::uint32_t c : reached_) before_[c] = kNone;
    return cycle;
  }

 private:
  std::vector<std::uint32_t> expand(std::uint32_t at, std::uint32_t start) {
    for (const std::uint32_t to : graph_.after(at)) {
      if (to == start) return way_to(at, start);
      if (!inside_[to] || before_[to] != kNone) continue;
      before_[to] = at;
      reached_.push_back(to);
    }
    return {};
  }

  std::vector<std::uint32_t> way_to(std::uint32_t end, std::uint32_t start) const {
    std::vector<std::uint32_t> way{end};
    while (way.back() != start) way.push_back(before_[way.back()]);
    std::reverse(way.begin(), way.end());
    return way;
  }

  const ChannelDependencyGraph& graph_;
  std::vector<bool> inside_;
  std::vector<std::uint32_t> before_;
  std::vector<std::uint32_t> reached_;
};

}  // namespace

bool has_cycle(const ChannelDependencyGraph& graph) {
  const std::vector<bool> left = unpeeled(graph);
  return std::find(left.begin(), left.end(), true) != left.end();
}

std::uint64_t channels_on_cycles(const ChannelDependencyGraph& graph) {
  const std::vector<bool> left = unpeeled(graph);
  std::uint64_t count = 0;
  const Components components(graph, left);
  for (const auto& component : components.cyclic()) count += component.size();
  return count;
}

Cycle shortest_cycle(const ChannelDependencyGraph& graph) {
  Cycle cycle;
  const std::vector<bool> left = unpeeled(graph);
  if (std::find(left.begin(), left.end(), true) == left.end()) return cycle;
  const Components components(graph, left);
  const auto& cyclic = components.cyclic();
  for (const auto& component : cyclic) cycle.concerned += component.size();
  const auto smallest = std::min_element(cyclic.begin(), cyclic.end(), [](const auto& a, const auto& b) {
    return a.size() != b.size() ? a.size() < b.size() : a.front() < b.front();
  });
  CycleSearch search(graph, *smallest);
  std::size_t limit = smallest->size() + 1;
  for (std::size_t i = 0; i < std::min(kStarts, smallest->size()) && limit > 1; ++i) {
    auto found = search.through((*smallest)[i], limit);
    if (found.empty()) continue;
    limit = found.size();
    cycle.channels = std::move(found);
  }
  return cycle;
}

}  // namespace rch::verify
