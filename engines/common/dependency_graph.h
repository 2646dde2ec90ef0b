#pragma once

#include <cstdint>
#include <vector>

#include "engines/common/channels.h"

namespace rch::engines::common {

/// The channel dependency graph (CDG) of a set of paths on one virtual lane: channel `c` depends on `next` if
/// some packet holds `c` and requests `next` (Dally and Seitz 1987). Paths are free of deadlock if their CDG
/// is acyclic. Keeps a reference to the channels.
class DependencyGraph {
 public:
  using Node = ChannelId;

  explicit DependencyGraph(const Channels& channels)
      : channels_(channels), present_(channels.dependency_count()) {}

  /// Several threads may add at once.
  void add(ChannelId c, ChannelId next);

  const Channels& channels() const { return channels_; }
  std::size_t size() const { return channels_.size(); }
  std::size_t degree(ChannelId c) const { return channels_.degree(channels_.to(c)); }
  ChannelId successor(ChannelId c, std::size_t i) const {
    return present_[channels_.first_dependency(c) + i] == 0
               ? ChannelId::none()
               : ChannelId(channels_.first(channels_.to(c)).value + static_cast<std::uint32_t>(i));
  }

 private:
  const Channels& channels_;
  std::vector<std::uint8_t> present_;  ///< by dependency
};

struct TopologicalOrder {
  std::vector<ChannelId> channels;  ///< all, each before those it depends on
  /// The order then violates the dependencies that closed a cycle in the search, which are few.
  bool has_cycle = false;
};

TopologicalOrder topological_order(const DependencyGraph& cdg);

}  // namespace rch::engines::common
