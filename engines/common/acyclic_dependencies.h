#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engines/common/channels.h"

namespace rch::engines::common {

/// Dependencies between the channels of one virtual lane that close no circle, and an order of all channels
/// that proves it: each stands before those that depend on it. To admit a dependency, only the stretch of the
/// order between its two channels is searched and mended (Pearce, Kelly: A Dynamic Topological Sort Algorithm
/// for Directed Acyclic Graphs, JEA 2006). What would close a circle is refused for good, so each dependency
/// is searched for once.
class AcyclicDependencies {
 public:
  /// `order`: all channels; the nearer to what will be admitted, the less there is to mend.
  AcyclicDependencies(const Channels& channels, std::span<const ChannelId> order);

  /// From here on a dependency is refused for good, too, if more than that many channels would have to be
  /// looked at to admit it.
  void limit_search(std::size_t channels) { most_behind_ = channels; }

  /// True if the dependency is there, or was added; false if it would close a circle.
  bool admit(ChannelId c, ChannelId next);

  /// What was admitted and refused from here on can be taken back.
  void mark();
  /// Since the mark: takes back what was admitted, but for what keep(dependency number) says. Nothing stays
  /// refused for the sake of what is gone.
  template <class Keep>
  void take_back(Keep&& keep);

 private:
  enum class State : std::uint8_t { unknown, admitted, refused };
  struct Dependency {
    ChannelId c, next;
  };

  bool is_admitted(ChannelId c, ChannelId next) const {
    return states_[channels_.dependency(c, next)] == State::admitted;
  }
  /// What waits behind a channel.
  enum class Behind : std::uint8_t { others, target, too_many };

  Behind make_room(ChannelId c, ChannelId next);
  Behind find_behind(ChannelId start, ChannelId target);
  void find_before(ChannelId start, std::uint32_t from_place);
  void reorder();

  const Channels& channels_;
  std::size_t most_behind_ = std::numeric_limits<std::size_t>::max();
  std::vector<State> states_;               ///< by dependency
  std::vector<std::uint32_t> place_;        ///< by channel
  std::vector<std::size_t> admitted_;       ///< since the mark
  std::vector<std::size_t> refused_;        ///< since the mark
  std::vector<std::uint8_t> seen_;          ///< by channel
  std::vector<ChannelId> behind_, before_;  ///< found by the search
  std::vector<std::uint32_t> places_;
};

template <class Keep>
void AcyclicDependencies::take_back(Keep&& keep) {
  const std::size_t before = admitted_.size();
  std::erase_if(admitted_, [&](std::size_t dependency) {
    if (keep(dependency)) return false;
    states_[dependency] = State::unknown;
    return true;
  });
  if (admitted_.size() == before) return;
  for (std::size_t dependency : refused_) states_[dependency] = State::unknown;
  refused_.clear();
}

}  // namespace rch::engines::common
