#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

/// By channel: paths from a host to a LID that take it.
using Loads = std::vector<std::uint64_t>;

/// Hosts by switch.
std::vector<std::uint64_t> host_counts(const fabric::SubFabric& view);

/// Counts the paths of one tree after the other. Trees to switches without hosts count for nothing: they
/// carry management alone.
class PathCounter {
 public:
  explicit PathCounter(const Routes& routes) : routes_(routes), hosts_(host_counts(routes.view())) {}

  void add(std::size_t tree, Loads& loads) { count(tree, loads, 1); }
  void take_back(std::size_t tree, Loads& loads) { count(tree, loads, ~std::uint64_t{0}); }

 private:
  void count(std::size_t tree, Loads& loads, std::uint64_t sign);

  const Routes& routes_;
  std::vector<std::uint64_t> hosts_;
  std::vector<std::uint64_t> flow_;     ///< by switch: paths that pass it
  std::vector<std::uint32_t> waiting_;  ///< by switch: neighbours that send to it and are not counted yet
  std::vector<SwitchId> ready_;
};

/// Of all trees.
Loads count_loads(const Routes& routes);

/// Work that raises loads, done on all threads though each piece should know what those before it did: the
/// pieces of a batch start with the loads from before the batch, and what each adds is summed up behind it.
/// The result depends on how the work is cut into batches alone.
class LoadBatches {
 public:
  /// `width`: pieces in a batch, at most.
  LoadBatches(Loads& loads, std::size_t width) : loads_(loads), own_(width) {}

  /// Calls piece(i, loads) for i of [0, count), count at most `width`.
  template <class Piece>
  void run(std::size_t count, Piece&& piece) {
    parallel_ranges(count, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        own_[i] = loads_;
        piece(i, own_[i]);
      }
    });
    sum_up(count);
  }

 private:
  void sum_up(std::size_t count);

  Loads& loads_;
  std::vector<Loads> own_;  ///< by piece
};

}  // namespace rch::engines::dfsssp
