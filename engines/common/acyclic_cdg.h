#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engines/common/channels.h"

namespace rch::engines::common {

/// A channel dependency graph that stays acyclic while dependencies are added: incremental cycle detection
/// by a dynamic topological order (Pearce, Kelly: A Dynamic Topological Sort Algorithm for Directed Acyclic
/// Graphs, JEA 2006). Adding a dependency searches only the part of the order between its two channels. A
/// dependency that would close a cycle is refused for good, as Nue blocks edges, so each is searched for
/// once. Keeps a reference to the channels.
class AcyclicCdg {
 public:
  /// `order`: all channels. The nearer to a topological order of what will be added, the less is reordered.
  AcyclicCdg(const Channels& channels, std::span<const ChannelId> order);

  /// From here on also refuses, for good, a dependency whose search visits more channels.
  void limit_search(std::size_t channels) { search_limit_ = channels; }

  /// True if the dependency is present now; false if it would close a cycle.
  bool try_add(ChannelId c, ChannelId next);
  bool has(ChannelId c, ChannelId next) const {
    return states_[channels_.dependency(c, next)] == State::present;
  }
  /// Calls list(add) once, which calls add(c, next) for each dependency. Adds all of them and returns
  /// true, or changes nothing and returns false.
  template <class List>
  bool try_add_all(List&& list) {
    bool all = true;
    checkpoint();
    list([&](ChannelId c, ChannelId next) { all = all && try_add(c, next); });
    if (!all) roll_back();
    return all;
  }

  /// roll_back() returns to this state.
  void checkpoint();
  /// Removes dependencies added since the checkpoint unless keep(dependency number). Refusals since then are
  /// forgotten too.
  template <class Keep>
  void roll_back(Keep&& keep);
  void roll_back() {
    roll_back([](std::size_t) { return false; });
  }

 private:
  enum class State : std::uint8_t { unknown, present, refused };
  enum class Search : std::uint8_t { acyclic, cycle, gave_up };

  Search make_room(ChannelId c, ChannelId next);
  Search search_forward(ChannelId start, ChannelId target);
  void search_backward(ChannelId start, std::uint32_t first_position);
  void reorder();

  const Channels& channels_;
  std::size_t search_limit_ = std::numeric_limits<std::size_t>::max();
  std::vector<State> states_;            ///< by dependency
  std::vector<std::uint32_t> position_;  ///< by channel, in the order
  std::vector<std::size_t> added_;       ///< since the checkpoint
  std::vector<std::size_t> refused_;     ///< since the checkpoint
  std::vector<std::uint8_t> seen_;       ///< by channel
  std::vector<ChannelId> forward_, backward_;
  std::vector<std::uint32_t> positions_;
};

template <class Keep>
void AcyclicCdg::roll_back(Keep&& keep) {
  const std::size_t before = added_.size();
  std::erase_if(added_, [&](std::size_t dependency) {
    if (keep(dependency)) return false;
    states_[dependency] = State::unknown;
    return true;
  });
  if (added_.size() == before) return;
  for (std::size_t dependency : refused_) states_[dependency] = State::unknown;
  refused_.clear();
}

}  // namespace rch::engines::common
