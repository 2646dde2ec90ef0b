#include "engines/torus_2qos/channel_dependencies.h"

#include <algorithm>

#include "engines/common/depth_first.h"

namespace rch::engines::torus_2qos {
namespace {

Position position_of(Channel c) {
  return Position(static_cast<std::uint16_t>(c.value / ChannelDependencies::kVls / kDirections));
}

}  // namespace

ChannelDependencies::ChannelDependencies(const Geometry& geometry)
    : geometry_(&geometry), cells_(geometry.size() * kDirections * kDirections, 0) {}

ChannelDependencies& ChannelDependencies::operator|=(const ChannelDependencies& other) {
  for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i] |= other.cells_[i];
  return *this;
}

Channel ChannelDependencies::successor(Channel c, std::size_t i) const {
  const Direction in(static_cast<std::uint8_t>(c.value / kVls % kDirections));
  const Position at = geometry_->neighbor(position_of(c), in);
  const std::size_t out = i / kVls, out_vl = i % kVls;
  if (at.is_none() || (cells_[cell(at, in) + out] >> (c.value % kVls * kVls + out_vl) & 1U) == 0)
    return Channel::none();
  return Channel(static_cast<std::uint32_t>((at.index() * kDirections + out) * kVls + out_vl));
}

std::vector<Position> ChannelDependencies::cycle() const {
  common::DepthFirst search(*this);
  search.visit_all();
  if (!search.has_cycle()) return {};
  return shortest_cycle(*std::ranges::min_element(search.cycle()));
}

std::vector<Position> ChannelDependencies::shortest_cycle(Channel start) const {
  std::vector<Channel> reached_from(size(), Channel::none());
  std::vector<Channel> queue{start};
  for (std::size_t n = 0; n < queue.size() && reached_from[start.index()].is_none(); ++n)
    for (std::size_t i = 0; i < degree(queue[n]); ++i) {
      const Channel next = successor(queue[n], i);
      if (next.is_none() || !reached_from[next.index()].is_none()) continue;
      reached_from[next.index()] = queue[n];
      queue.push_back(next);
    }
  std::vector<Position> cycle;
  for (Channel c = reached_from[start.index()]; c != start; c = reached_from[c.index()])
    cycle.push_back(position_of(c));
  cycle.push_back(position_of(start));
  std::ranges::reverse(cycle);
  return cycle;
}

}  // namespace rch::engines::torus_2qos
