#include "engines/dfsssp/counted_layers.h"

#include <algorithm>
#include <utility>

namespace rch::engines::dfsssp {

using common::ChannelId;

/// Breadth first, so that few paths are concerned.
std::vector<ChannelId> CountedLayers::find_way(std::size_t layer, ChannelId from, ChannelId to) {
  visited_.assign(1, from);
  parents_[from.index()] = from;
  for (std::size_t i = 0; i < visited_.size() && parents_[to.index()].is_none(); ++i) {
    const ChannelId c = visited_[i];
    channels_.for_each_leaving(channels_.to(c), [&](ChannelId next) {
      if (!parents_[next.index()].is_none() || !has(layer, c, next)) return;
      parents_[next.index()] = c;
      visited_.push_back(next);
    });
  }
  work_ += visited_.size();
  std::vector<ChannelId> way;
  if (!parents_[to.index()].is_none()) {
    for (ChannelId c = to; c != from; c = parents_[c.index()]) way.push_back(c);
    way.push_back(from);
    std::ranges::reverse(way);
  }
  for (const ChannelId c : visited_) parents_[c.index()] = ChannelId::none();
  return way;
}

bool CountedLayers::closes_cycle(std::size_t layer, ChannelId c, ChannelId next) {
  if (has(layer, c, next)) return false;
  if (reached_[layer].empty()) find_reached(layer);
  return leads(layer, next, c);
}

void CountedLayers::find_reached(std::size_t layer) {
  Words& reached = reached_[layer];
  const std::size_t width = words();
  work_ += channels_.size() * (1 + width / 4);
  reached.assign(channels_.size() * width, 0);
  for (const ChannelId c : from_last_to_first(layer)) {
    std::uint64_t* const own = reached.data() + c.index() * width;
    own[c.index() / 64] |= std::uint64_t{1} << (c.index() % 64);
    channels_.for_each_leaving(channels_.to(c), [&](ChannelId next) {
      if (!has(layer, c, next)) return;
      const std::uint64_t* const other = reached.data() + next.index() * width;
      for (std::size_t w = 0; w < width; ++w) own[w] |= other[w];
    });
  }
}

/// All channels, each behind those that follow it.
std::vector<ChannelId> CountedLayers::from_last_to_first(std::size_t layer) const {
  std::vector<std::uint32_t> open(channels_.size());
  std::vector<ChannelId> order;
  order.reserve(channels_.size());
  for (std::uint32_t i = 0; i < channels_.size(); ++i) {
    const ChannelId c(i);
    channels_.for_each_leaving(channels_.to(c),
                               [&](ChannelId next) { open[i] += has(layer, c, next) ? 1U : 0U; });
    if (open[i] == 0) order.push_back(c);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ChannelId next = order[i];
    channels_.for_each_leaving(channels_.from(next), [&](ChannelId leaving) {
      const ChannelId c = channels_.back(leaving);
      if (has(layer, c, next) && --open[c.index()] == 0) order.push_back(c);
    });
  }
  return order;
}

}  // namespace rch::engines::dfsssp
