#include "engines/torus_2qos/dependencies.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace rch::engines::torus_2qos {
namespace {

/// Channels by number, for the search: (position * 6 + way) * 4 + lane.
using Number = std::uint32_t;
constexpr Number kNone = std::numeric_limits<Number>::max();

constexpr Number number_of(const Channel& c) {
  return static_cast<Number>((c.from.index() * kDirections + c.way.index()) * Channel::kLanes + c.lane);
}

constexpr Channel channel_of(Number n) {
  return {Position(static_cast<std::uint16_t>(n / Channel::kLanes / kDirections)),
          Direction(static_cast<std::uint8_t>(n / Channel::kLanes % kDirections)),
          static_cast<std::uint8_t>(n % Channel::kLanes)};
}

/// The channels that each waits for, flat.
class Graph {
 public:
  Graph(const Lattice& lattice, const std::vector<std::uint16_t>& cells) {
    const auto count = static_cast<Number>(lattice.size() * kDirections * Channel::kLanes);
    begin_.reserve(count + 1);
    for (Number n = 0; n < count; ++n) {
      begin_.push_back(static_cast<Number>(next_.size()));
      const Channel c = channel_of(n);
      const Position at = lattice.neighbor(c.from, c.way);
      if (at.is_none()) continue;
      const std::size_t row = (at.index() * kDirections + c.way.index()) * kDirections;
      for (std::uint8_t out = 0; out < kDirections; ++out) {
        const unsigned lanes = cells[row + out] >> (c.lane * Channel::kLanes) & 15U;
        for (std::uint8_t lane = 0; lane < Channel::kLanes; ++lane)
          if ((lanes >> lane & 1U) != 0) next_.push_back(number_of({at, Direction(out), lane}));
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

/// Channels that are left when those nobody waits for are taken away again and again: the circles, and what
/// they lead to.
std::vector<Number> left_over(const Graph& graph) {
  std::vector<std::uint32_t> waiting(graph.size(), 0);
  for (Number n = 0; n < graph.size(); ++n)
    for (Number m : graph.next(n)) ++waiting[m];
  std::vector<Number> free;
  for (Number n = 0; n < graph.size(); ++n)
    if (waiting[n] == 0) free.push_back(n);
  while (!free.empty()) {
    const Number n = free.back();
    free.pop_back();
    for (Number m : graph.next(n))
      if (--waiting[m] == 0) free.push_back(m);
  }
  std::vector<Number> left;
  for (Number n = 0; n < graph.size(); ++n)
    if (waiting[n] != 0) left.push_back(n);
  return left;
}

/// A shortest way from a channel back to itself; empty if there is none.
std::vector<Channel> way_back(const Graph& graph, Number start) {
  std::vector<Number> reached_from(graph.size(), kNone);
  std::vector<Number> queue{start};
  for (std::size_t i = 0; i < queue.size() && reached_from[start] == kNone; ++i)
    for (Number m : graph.next(queue[i])) {
      if (reached_from[m] != kNone) continue;
      reached_from[m] = queue[i];
      queue.push_back(m);
    }
  std::vector<Channel> circle;
  if (reached_from[start] == kNone) return circle;
  for (Number n = reached_from[start]; n != start; n = reached_from[n]) circle.push_back(channel_of(n));
  circle.push_back(channel_of(start));
  std::reverse(circle.begin(), circle.end());
  return circle;
}

}  // namespace

Dependencies::Dependencies(const Lattice& lattice)
    : lattice_(&lattice), cells_(lattice.size() * kDirections * kDirections, 0) {}

Dependencies& Dependencies::operator|=(const Dependencies& other) {
  for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i] |= other.cells_[i];
  return *this;
}

std::vector<Channel> Dependencies::circle() const {
  const Graph graph(*lattice_, cells_);
  for (Number n : left_over(graph))
    if (auto found = way_back(graph, n); !found.empty()) return found;
  return {};
}

}  // namespace rch::engines::torus_2qos
