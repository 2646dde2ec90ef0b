#include "engines/torus_2qos/channel_dependencies.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace rch::engines::torus_2qos {
namespace {

/// Channels by number: (position * 6 + direction) * 4 + VL.
using Number = std::uint32_t;
constexpr Number kNone = std::numeric_limits<Number>::max();

constexpr Number number_of(const Channel& c) {
  return static_cast<Number>((c.from.index() * kDirections + c.direction.index()) * Channel::kVls + c.vl);
}

constexpr Channel channel_of(Number n) {
  return {Position(static_cast<std::uint16_t>(n / Channel::kVls / kDirections)),
          Direction(static_cast<std::uint8_t>(n / Channel::kVls % kDirections)),
          static_cast<std::uint8_t>(n % Channel::kVls)};
}

/// The graph in CSR form.
class Graph {
 public:
  Graph(const Geometry& geometry, const std::vector<std::uint16_t>& cells) {
    const auto count = static_cast<Number>(geometry.size() * kDirections * Channel::kVls);
    begin_.reserve(count + 1);
    for (Number n = 0; n < count; ++n) {
      begin_.push_back(static_cast<Number>(next_.size()));
      const Channel c = channel_of(n);
      const Position at = geometry.neighbor(c.from, c.direction);
      if (at.is_none()) continue;
      const std::size_t row = (at.index() * kDirections + c.direction.index()) * kDirections;
      for (std::uint8_t out = 0; out < kDirections; ++out) {
        const unsigned vls = cells[row + out] >> (c.vl * Channel::kVls) & 15U;
        for (std::uint8_t vl = 0; vl < Channel::kVls; ++vl)
          if ((vls >> vl & 1U) != 0) next_.push_back(number_of({at, Direction(out), vl}));
      }
    }
    begin_.push_back(static_cast<Number>(next_.size()));
  }

  Number size() const { return static_cast<Number>(begin_.size() - 1); }
  std::span<const Number> next(Number n) const {
    return std::span(next_).subspan(begin_[n], begin_[n + 1] - begin_[n]);
  }

 private:
  std::vector<Number> begin_;
  std::vector<Number> next_;
};

/// Channels on cycles, or reachable from one: what topological sorting leaves over.
std::vector<Number> unsorted(const Graph& graph) {
  std::vector<std::uint32_t> in_degree(graph.size(), 0);
  for (Number n = 0; n < graph.size(); ++n)
    for (Number m : graph.next(n)) ++in_degree[m];
  std::vector<Number> free;
  for (Number n = 0; n < graph.size(); ++n)
    if (in_degree[n] == 0) free.push_back(n);
  while (!free.empty()) {
    const Number n = free.back();
    free.pop_back();
    for (Number m : graph.next(n))
      if (--in_degree[m] == 0) free.push_back(m);
  }
  std::vector<Number> left;
  for (Number n = 0; n < graph.size(); ++n)
    if (in_degree[n] != 0) left.push_back(n);
  return left;
}

/// A shortest cycle through a channel; empty if there is none.
std::vector<Channel> cycle_through(const Graph& graph, Number start) {
  std::vector<Number> reached_from(graph.size(), kNone);
  std::vector<Number> queue{start};
  for (std::size_t i = 0; i < queue.size() && reached_from[start] == kNone; ++i)
    for (Number m : graph.next(queue[i])) {
      if (reached_from[m] != kNone) continue;
      reached_from[m] = queue[i];
      queue.push_back(m);
    }
  std::vector<Channel> cycle;
  if (reached_from[start] == kNone) return cycle;
  for (Number n = reached_from[start]; n != start; n = reached_from[n]) cycle.push_back(channel_of(n));
  cycle.push_back(channel_of(start));
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

}  // namespace

ChannelDependencies::ChannelDependencies(const Geometry& geometry)
    : geometry_(&geometry), cells_(geometry.size() * kDirections * kDirections, 0) {}

ChannelDependencies& ChannelDependencies::operator|=(const ChannelDependencies& other) {
  for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i] |= other.cells_[i];
  return *this;
}

std::vector<Channel> ChannelDependencies::cycle() const {
  const Graph graph(*geometry_, cells_);
  for (Number n : unsorted(graph))
    if (auto found = cycle_through(graph, n); !found.empty()) return found;
  return {};
}

}  // namespace rch::engines::torus_2qos
