#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

/// By channel: paths from a host to a LID that use it, the edge weights of SSSP and Nue.
using ChannelLoads = std::vector<std::uint64_t>;

/// Hosts by switch.
std::vector<std::uint64_t> host_counts(const fabric::SubFabric& view);

/// Counts the paths of one tree at a time. Trees to switches without hosts carry only management, and count
/// nothing.
class PathCounter {
 public:
  explicit PathCounter(const Routes& routes) : routes_(routes), hosts_(host_counts(routes.view())) {}

  void add(std::size_t tree, ChannelLoads& loads) { count(tree, loads, 1); }
  void remove(std::size_t tree, ChannelLoads& loads) { count(tree, loads, ~std::uint64_t{0}); }

 private:
  void count(std::size_t tree, ChannelLoads& loads, std::uint64_t sign);

  const Routes& routes_;
  std::vector<std::uint64_t> hosts_;
  std::vector<std::uint64_t> flow_;      ///< by switch: paths that start or pass there
  std::vector<std::uint32_t> children_;  ///< by switch: neighbours that send to it and are not counted yet
  std::vector<SwitchId> ready_;
};

/// The loads by the paths of all trees.
ChannelLoads count_loads(const Routes& routes);

/// Tells whether the loads of channels are even: none is more than a twentieth above the mean of those that
/// leave some switch. In a regular fat tree that mean is the least that the fullest channel can carry.
class Evenness {
 public:
  /// Adds the channels that leave one switch.
  template <class Load>
  void add(std::span<const Load> loads) {
    std::uint64_t sum = 0;
    for (const Load load : loads) {
      most_ = std::max(most_, std::uint64_t{load});
      sum += load;
    }
    if (!loads.empty()) highest_mean_ = std::max(highest_mean_, sum / loads.size());
  }
  bool is_even() const { return most_ <= highest_mean_ + highest_mean_ / 20; }

 private:
  std::uint64_t most_ = 0, highest_mean_ = 0;
};

/// Tasks that each add loads, on all threads. The tasks of a round start with the loads from before it, and
/// what they add is summed after it. So the result depends on the rounds, not on the threads.
class LoadRounds {
 public:
  /// `width`: tasks in a round, at most. Keeps a reference.
  LoadRounds(ChannelLoads& loads, std::size_t width) : loads_(loads), own_(width) {}

  /// Calls task(i, loads) for i of [0, count).
  template <class Task>
  void run(std::size_t count, Task&& task) {
    parallel_ranges(count, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        own_[i] = loads_;
        task(i, own_[i]);
      }
    });
    sum(count);
  }

 private:
  void sum(std::size_t count);

  ChannelLoads& loads_;
  std::vector<ChannelLoads> own_;  ///< by task
};

}  // namespace rch::engines::dfsssp
