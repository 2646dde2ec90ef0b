#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engines/common/channels.h"

namespace rch::engines::dfsssp {

/// The CDGs of virtual layers, with the number of paths that need each dependency: paths can be taken out
/// again. Keeps a reference to the channels.
class CountedLayers {
 public:
  CountedLayers(const common::Channels& channels, std::size_t layers)
      : channels_(channels),
        counts_(layers * channels.dependency_count()),
        reached_(layers),
        parents_(channels.size(), common::ChannelId::none()) {}

  std::uint32_t count(std::size_t layer, common::ChannelId c, common::ChannelId next) const {
    return counts_[at(layer, c, next)];
  }
  bool has(std::size_t layer, common::ChannelId c, common::ChannelId next) const {
    return count(layer, c, next) != 0;
  }
  /// One path more, or less, needs the dependency.
  void add(std::size_t layer, common::ChannelId c, common::ChannelId next) {
    if (counts_[at(layer, c, next)]++ == 0) reached_[layer].clear();
  }
  void remove(std::size_t layer, common::ChannelId c, common::ChannelId next) {
    if (--counts_[at(layer, c, next)] == 0) reached_[layer].clear();
  }
  /// The number of a dependency among those of all layers.
  std::size_t at(std::size_t layer, common::ChannelId c, common::ChannelId next) const {
    return layer * channels_.dependency_count() + channels_.dependency(c, next);
  }

  /// Channels in a row from one to another, both included. Empty if dependencies do not lead there.
  std::vector<common::ChannelId> find_way(std::size_t layer, common::ChannelId from, common::ChannelId to);
  /// True if the dependency would close a cycle. The layer has none.
  bool closes_cycle(std::size_t layer, common::ChannelId c, common::ChannelId next);
  /// The same where closes_cycle() was asked since the layer changed; else false.
  bool is_known_to_close_cycle(std::size_t layer, common::ChannelId c, common::ChannelId next) const {
    return !reached_[layer].empty() && !has(layer, c, next) && leads(layer, next, c);
  }
  /// Channels looked at so far: a clock that is the same on every machine.
  std::uint64_t work() const { return work_; }

 private:
  using Words = std::vector<std::uint64_t>;

  bool leads(std::size_t layer, common::ChannelId from, common::ChannelId to) const {
    return (reached_[layer][from.index() * words() + to.index() / 64] >> (to.index() % 64) & 1U) != 0;
  }
  std::size_t words() const { return (channels_.size() + 63) / 64; }
  void find_reached(std::size_t layer);
  std::vector<common::ChannelId> from_last_to_first(std::size_t layer) const;

  const common::Channels& channels_;
  std::vector<std::uint32_t> counts_;  ///< by layer, then dependency
  std::vector<Words> reached_;         ///< by layer: by channel, the channels that follow; empty: not known
  std::vector<common::ChannelId> parents_, visited_;  ///< of the search at hand
  std::uint64_t work_ = 0;
};

}  // namespace rch::engines::dfsssp
